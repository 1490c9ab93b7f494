import { expect, test } from 'vitest';
import { countries, isTurkiye } from '#features/customers/address-options.ts';
import { turkishPlaces } from '#features/customers/turkish-places.ts';
import { foldedFilter } from '#lib/folded.ts';

test('Türkiye has 81 provinces and 973 districts, none of them twice', () => {
  expect(new Set(turkishPlaces.map(place => place.city)).size).toBe(81);
  expect(turkishPlaces.flatMap(place => place.districts)).toHaveLength(973);
  for (const { districts } of turkishPlaces) expect(new Set(districts).size).toBe(districts.length);
  expect(turkishPlaces.find(place => place.city === 'Muğla')?.districts).toContain('Bodrum');
});

test('Türkiye is recognised in any spelling and is among the countries', () => {
  expect(['Türkiye', 'turkiye', ' Turkey '].map(isTurkiye)).toEqual([true, true, true]);
  expect(isTurkiye('Turkmenistan')).toBe(false);
  expect(countries().filter(isTurkiye)).toHaveLength(1);
  expect(new Set(countries()).size).toBe(200);
});

test('a search without diacritics finds the names that have them', () => {
  const options = turkishPlaces.map(({ city }) => ({ label: city, value: city }));
  const found = (search: string) => foldedFilter({ options, search, limit: 5 }).map(it => 'label' in it && it.label);
  expect(found('izmir')).toEqual(['İzmir']);
  expect(found('IGDIR')).toEqual(['Iğdır']);
  expect(found('sanli')).toEqual(['Şanlıurfa']);
  expect(found('a')).toHaveLength(5);
});
