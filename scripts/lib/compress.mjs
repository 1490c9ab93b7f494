import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';

/** Writes a `.br` and a `.gz` file for every text file of a folder, so that the server need not compress per request. */
export function precompress(folder, isNew = () => true) {
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    if (!entry.isFile() || !/\.(js|css|html|svg|json)$/.test(entry.name)) continue;
    const file = path.join(entry.parentPath, entry.name);
    if (!isNew(path.relative(folder, file))) continue;
    const content = readFileSync(file);
    if (content.length < 1000) continue;
    writeFileSync(`${file}.br`, brotliCompressSync(content));
    writeFileSync(`${file}.gz`, gzipSync(content, { level: 9 }));
  }
}
