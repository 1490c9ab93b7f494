import { describe, expect, test } from 'vitest';
import {
  editedMigrations,
  landedMigrations,
  lostMigrations,
  migrationFiles,
  misplacedMigrations,
  unlistedMigrations,
} from './lib/landed-migrations.mjs';

describe('migrations that landed', () => {
  const [landed, files] = [landedMigrations(), migrationFiles()];

  test('are unchanged', () => expect(editedMigrations(landed, files)).toEqual([]));
  test('are all there', () => expect(lostMigrations(landed, files)).toEqual([]));
  test('are listed; if not: npm run migrations', () => expect(unlistedMigrations(landed, files)).toEqual([]));

  test('are told from edited, lost, new and misplaced ones', () => {
    const list = [
      { version: '0.1.0', name: '0001-old', hash: 'a' },
      { version: 'next', name: '0101-baseline', hash: 'b' },
      { version: 'next', name: '0102-lost', hash: 'c' },
    ];
    const found = [
      { name: '0101-baseline', hash: 'edited' },
      { name: '0103-new', hash: 'd' },
    ];
    expect(editedMigrations(list, found)).toEqual([expect.stringMatching(/^0101-baseline was edited .*new migration/)]);
    expect(lostMigrations(list, found)).toEqual([expect.stringMatching(/^0102-lost landed/)]);
    expect(misplacedMigrations(list, found)).toEqual([]);
    expect(misplacedMigrations(list, [{ name: '0101-too-late' }])).toEqual([
      '0101-too-late must come after 0102-lost, which landed: give it a higher number',
    ]);
    expect(unlistedMigrations(list, found)).toEqual([expect.stringMatching(/^0103-new .*npm run migrations/)]);
  });
});
