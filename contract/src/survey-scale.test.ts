import { expect, test } from 'vitest';
import { isScale, scaleAnswers } from './survey-scale.ts';

const scale = { answer_type: 'text', type: 'single', answers: scaleAnswers() };

test('a question is a scale with the answers 0 to 10 in order, in all or some languages', () => {
  expect(isScale(scale)).toBe(true);
  expect(isScale({ ...scale, answers: scaleAnswers(['tr']) })).toBe(true);
  const notYet = scaleAnswers(['tr']).map(({ label }) => ({ label: { ...label, en: '' } }));
  expect(isScale({ ...scale, answers: notYet })).toBe(true);
  expect(scaleAnswers(['tr', 'en'])[10]).toEqual({ label: { tr: '10', en: '10' }, emoji: null });
});

test.each([
  ['another kind of answers', { answer_type: 'emoji' }],
  ['several answers', { type: 'multiple' }],
  ['ten answers', { answers: scaleAnswers().slice(1) }],
  ['one more', { answers: [...scaleAnswers(), { label: { en: '11' } }] }],
  ['another order', { answers: scaleAnswers().reverse() }],
  ['no text', { answers: scaleAnswers().map((it, i) => (i === 3 ? { label: { en: '' } } : it)) }],
  [
    'another text in one language',
    { answers: scaleAnswers().map((it, i) => (i === 3 ? { label: { en: '3', tr: 'üç' } } : it)) },
  ],
])('%s is none', (_, other) => expect(isScale({ ...scale, ...other })).toBe(false));
