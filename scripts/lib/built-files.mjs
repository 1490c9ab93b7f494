import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** The files below a folder, by their paths in it. */
export const filesIn = folder =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => path.relative(folder, path.join(entry.parentPath, entry.name)));

/** The files of the last build, as noted in `list`; undefined before the first note. */
export const builtFiles = list => (existsSync(list) ? new Set(JSON.parse(readFileSync(list, 'utf8'))) : undefined);

/** Notes the files that a build wrote, and removes those that neither it nor the build before wrote. */
export function noteBuild(folder, list, written) {
  const before = builtFiles(list);
  const kept = new Set([...(before ?? []), ...written]);
  if (before) for (const file of filesIn(folder)) if (!kept.has(file)) rmSync(path.join(folder, file));
  writeFileSync(list, JSON.stringify(written));
}
