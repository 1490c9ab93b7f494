import { expect, test } from 'vitest';
import { folded, foldedFilter } from './folded.ts';

test.for([
  ['MİKROTİK', 'mikrotik'],
  ['mıkrotık', 'mikrotik'],
  ['UNIFI', 'unifi'],
  ['İngilizce', 'ingilizce'],
  ['Çırağan Şişli', 'ciragan sisli'],
  ['Ağrı'.normalize('NFD'), 'agri'],
] as const)('%s is searched as %s', ([typed, meant]) => expect(folded(typed)).toBe(meant));

test('a searchable list finds Turkish words, within groups too', () => {
  const istanbul = { value: '1', label: 'İstanbul Otel' };
  const izmir = { value: '2', label: 'IZMIR KAFE' };
  const options = [
    istanbul,
    { group: 'Ege', items: [izmir] },
    { group: 'Doğu', items: [{ value: '3', label: 'Van' }] },
  ];
  expect(foldedFilter({ options, search: 'istanbul' })).toEqual([istanbul]);
  expect(foldedFilter({ options, search: ' İzmir ' })).toEqual([{ group: 'Ege', items: [izmir] }]);
  expect(foldedFilter({ options, search: '' })).toHaveLength(3);
  expect(foldedFilter({ options, search: '', limit: 2 })).toHaveLength(2);
  expect(foldedFilter({ options, search: 'ankara' })).toEqual([]);
});
