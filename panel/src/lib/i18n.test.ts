import i18next from 'i18next';
import { beforeAll, expect, test, vi } from 'vitest';
import { addTexts, loadTexts, startTranslations } from '#lib/i18n.ts';

vi.mock('react-i18next', () => ({ initReactI18next: { type: '3rdParty', init: () => undefined } }));

beforeAll(() => startTranslations(['common']));

test('texts that could not be loaded are loaded at the next call', async () => {
  const load = vi.fn().mockRejectedValue(new Error('The network is away'));
  addTexts({ './late.en.json': load });
  await loadTexts('late');
  expect(i18next.getResource('en', 'late', 'hello')).toBeUndefined();
  load.mockResolvedValue({ hello: 'Hello' });
  await loadTexts('late');
  expect(i18next.getResource('en', 'late', 'hello')).toBe('Hello');
});

test('a feature whose texts were asked for before they were known is loaded when they are', async () => {
  await loadTexts('later');
  addTexts({ './later.en.json': async () => ({ hello: 'Hello' }) });
  await loadTexts('later');
  expect(i18next.getResource('en', 'later', 'hello')).toBe('Hello');
});
