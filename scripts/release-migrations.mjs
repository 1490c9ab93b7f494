// `node scripts/release-migrations.mjs 0.2.0` records the migrations of a release, which must not be edited afterwards.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { giveUp, root } from './lib/run.mjs';

const version = process.argv[2];
if (!/^\d+\.\d+\.\d+$/.test(version ?? '')) giveUp('Usage: node scripts/release-migrations.mjs VERSION, such as 0.1.0');

const folder = path.join(root, 'server/src/db/migrations');
const list = path.join(folder, 'released.txt');
const head = '# version name sha256: migrations that a release has carried. They are never edited again.\n';
let lines = [];
try {
  lines = readFileSync(list, 'utf8')
    .split('\n')
    .filter(line => line && !line.startsWith('#'));
} catch {
  // The first release has no list yet.
}
const known = new Set(lines.map(line => line.split(' ')[1]));
for (const file of readdirSync(folder)
  .filter(name => name.endsWith('.sql'))
  .sort()) {
  const name = file.slice(0, -4);
  if (known.has(name)) continue;
  const hash = createHash('sha256')
    .update(readFileSync(path.join(folder, file)))
    .digest('hex');
  lines.push(`${version} ${name} ${hash}`);
}
writeFileSync(list, `${head}${lines.join('\n')}\n`);
