import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { root } from './product.ts';
import type { Row } from './table.ts';

const kb = (bytes: number) => `${(bytes / 1024).toFixed(1)} KB`;

/** The panel's files as they go over the wire (gzip), largest first. */
export function measureSizes(): Row[] {
  const folder = path.join(root, 'panel/dist/assets');
  if (!existsSync(folder)) return [];
  const files = readdirSync(folder)
    .filter(name => /\.(js|css)$/.test(name))
    .map(name => ({ name, bytes: gzipSync(readFileSync(path.join(folder, name))).length }))
    .sort((a, b) => b.bytes - a.bytes);
  const total = files.reduce((sum, file) => sum + file.bytes, 0);
  return [
    { work: 'panel, all screens together', ours: kb(total), reference: `${files.length} files` },
    ...files.slice(0, 5).map(file => ({ work: `panel, ${file.name}`, ours: kb(file.bytes), reference: '' })),
  ];
}
