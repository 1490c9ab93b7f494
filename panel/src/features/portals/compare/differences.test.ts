import { expect, test } from 'vitest';
import { differences } from '#features/portals/compare/differences.ts';

const text = (id: string, en: string, more: object = {}) => ({ id, kind: 'text', texts: { en }, ...more });

test('blocks are compared by their place, field by field, without their ids', () => {
  const before = { page: { links: [], sign_in_blocks: [text('a', 'One'), text('b', 'Two')] } };
  const after = {
    page: { links: [], sign_in_blocks: [text('c', 'One'), text('b', 'Zwei', { ends_on: '2026-12-01' })] },
  };
  expect(differences(before, [after])).toEqual([
    { path: 'page.sign_in_blocks.2.texts.en', before: 'Two', sides: ['Zwei'] },
    { path: 'page.sign_in_blocks.2.ends_on', before: '', sides: ['2026-12-01'] },
  ]);
});

test('a block that was added has only new values', () => {
  const [kind, words] = differences({ page: { connected_blocks: [] } }, [
    { page: { connected_blocks: [text('a', 'Hi')] } },
  ]).filter(it => it.path !== 'page.connected_blocks');
  expect([kind?.path, words]).toEqual([
    'page.connected_blocks.1.kind',
    { path: 'page.connected_blocks.1.texts.en', before: '', sides: ['Hi'] },
  ]);
});

test('a block that was removed has no values; a side without the list changes nothing', () => {
  const before = { page: { links: [], sign_in_blocks: [text('a', 'One')] } };
  const fields = differences(before, [{ page: { sign_in_blocks: [] } }, { page: { links: [] } }]);
  expect(fields).toEqual([
    { path: 'page.sign_in_blocks.1.kind', before: 'text', sides: ['', 'text'] },
    { path: 'page.sign_in_blocks.1.texts.en', before: 'One', sides: ['', 'One'] },
  ]);
});
