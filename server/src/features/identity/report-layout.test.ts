import { inflateSync } from 'node:zlib';
import type { WhoWasIt } from '@portico/contract/identity.ts';
import { expect, test } from 'vitest';
import { makeSigningKey } from '#lib/certificates.ts';
import { identityReport } from './report.ts';

const key = await makeSigningKey('Çınar Otel');
const at = '2026-03-10T06:30:00.000Z';
const answer = (reason: string): WhoWasIt => ({
  asked: {
    ...{ address: '203.0.113.5', port: 61_000, at, also_at: null, mac: null },
    ...{ reason, time_zone: 'Europe/Istanbul' },
  },
  ...{ looked_up_at: at, complete: true, matches: [] },
});

/** An A4 page in points, with its margins, and the place of values. */
const [left, right, value] = [56, 539.28, 206];

/** Where the texts and the lines of the pages are. Each line of a text is one, with the number of its letters. */
async function layoutOf(reason: string) {
  const pdf = await identityReport(answer(reason), { key, tenant: 'Çınar Otel', language: 'en' });
  const raw = pdf.toString('latin1');
  const pages = [...raw.matchAll(/stream\n/g)].flatMap(({ index }) => {
    try {
      const text = inflateSync(pdf.subarray(index + 7, raw.indexOf('endstream', index))).toString('latin1');
      return text.includes(' Tf') ? [text] : [];
    } catch {
      return [];
    }
  });
  return pages.map(page => ({
    texts: [...page.matchAll(/1 0 0 1 ([\d.]+) ([\d.]+) Tm\n\/F\d+ ([\d.]+) Tf\n\[(.*)\] TJ/g)].map(
      ([, x, y, size, glyphs = '']) => ({
        ...{ x: Number(x), y: Number(y), size: Number(size) },
        letters: [...glyphs.matchAll(/<(\w+)>/g)].reduce((sum, [, hex = '']) => sum + hex.length / 4, 0),
      }),
    ),
    rules: [...page.matchAll(/([\d.]+) [\d.]+ m\n([\d.]+) [\d.]+ l/g)].map(([, from, to]) => [
      Number(from),
      Number(to),
    ]),
  }));
}

test('labels and values stand in two columns, and no text covers another', async () => {
  const [page] = await layoutOf('A case');
  const facts = page!.texts.filter(it => it.size === 9.5);
  expect(new Set(facts.map(it => it.x))).toEqual(new Set([left, value]));
  for (const label of facts.filter(it => it.x === left))
    expect(facts.filter(it => it.x === value && it.y === label.y)).toHaveLength(1);
  for (const upper of page!.texts)
    for (const lower of page!.texts)
      if (upper.y > lower.y && upper.x === lower.x) expect(upper.y - lower.y).toBeGreaterThan(lower.size);
  expect(new Set(page!.rules.map(String))).toEqual(new Set([String([left, right])]));
});

test('a long value fills its column and not more', async () => {
  // Nine letters and a space are 55 points wide, and the column has 333.
  const [page] = await layoutOf('aaaaaaaaa '.repeat(29).trim());
  const lines = page!.texts.filter(it => it.x === value && it.letters > 50);
  expect(lines.map(it => it.letters).every(it => it === 59 || it === 60)).toBe(true);
  expect(lines.length).toBeGreaterThanOrEqual(4);
});

test('the number of a page is at its lower right', async () => {
  for (const { texts } of await layoutOf('A case')) {
    const { x, y, size } = texts.at(-1)!;
    expect(size).toBe(8);
    expect(x).toBeGreaterThan(right - 60);
    expect(x).toBeLessThan(right - 20);
    expect(y).toBeLessThan(36);
  }
});
