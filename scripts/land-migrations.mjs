// `npm run migrations` adds new migrations to the list of those that are never edited again (landed.txt).
// `npm run migrations 0.6.0` also gives those since the last release that version.
import { writeFileSync } from 'node:fs';
import {
  editedMigrations,
  landedMigrations,
  list,
  migrationFiles,
  misplacedMigrations,
} from './lib/landed-migrations.mjs';
import { giveUp } from './lib/run.mjs';

const version = process.argv[2] ?? 'next';
if (!/^(\d+\.\d+\.\d+|next)$/.test(version)) giveUp('Usage: npm run migrations [VERSION], such as 0.6.0');

const [landed, files] = [landedMigrations(), migrationFiles()];
const [edited] = editedMigrations(landed, files);
if (edited) giveUp(edited);

const [misplaced] = misplacedMigrations(landed, files);
if (misplaced) giveUp(misplaced);

const added = files.filter(({ name }) => !landed.some(it => it.name === name));
const lines = [...landed, ...added.map(it => ({ ...it, version: 'next' }))]
  .map(it => (it.version === 'next' ? { ...it, version } : it))
  .sort((one, other) => (one.name < other.name ? -1 : 1))
  .map(it => `${it.version} ${it.name} ${it.hash}`);
const head = '# version name sha256: migrations that are never edited again. `npm run migrations` adds new ones.';
writeFileSync(list, `${[head, ...new Set(lines)].join('\n')}\n`);
for (const line of added) console.log(`Added ${line.name}`);
