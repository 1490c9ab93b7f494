import { expect, test } from 'vitest';
import { dataLimit, durationLimit, limitBounds, price, speedLimit } from './fields.ts';
import { currencies, dataUnits, durationUnits, speedUnits } from './units.ts';

const of = { speed: speedUnits, duration: durationUnits, data: dataUnits, price: currencies } as const;
const forms = { speed: speedLimit, duration: durationLimit, data: dataLimit, price } as const;
const kinds = Object.keys(of) as (keyof typeof of)[];
const all = Object.keys(limitBounds) as (keyof typeof limitBounds)[];

test.each(kinds)('a %s has its own units, and no others', kind => {
  const own: readonly string[] = of[kind];
  const taken = all.filter(option => {
    const { min, step } = limitBounds[option];
    return forms[kind].safeParse({ is_active: true, option, value: Math.max(min, step) }).success;
  });
  expect(taken.toSorted()).toEqual([...own].toSorted());
});

test('every unit of a limit belongs to one kind', () => {
  expect(Object.values(of).flat().toSorted()).toEqual(all.toSorted());
});

test('the units are those of the specification, the smallest first', () => {
  expect(of).toEqual({
    speed: ['kbps', 'mbps', 'gbps'],
    duration: ['minute', 'hour', 'day'],
    data: ['mb', 'gb', 'tb'],
    price: ['eur', 'usd', 'gbp', 'try'],
  });
});

test.each(currencies)('%s is a currency with hundredths, in which amounts are stored', currency => {
  expect(Intl.supportedValuesOf('currency')).toContain(currency.toUpperCase());
  const { maximumFractionDigits } = new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions();
  expect(maximumFractionDigits).toBe(2);
});
