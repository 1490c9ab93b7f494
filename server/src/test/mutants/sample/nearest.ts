import path from 'node:path';

const general = new Set(['ts', 'sql', 'test', 'queries', 'service', 'routes', 'jobs', 'radius', 'cli', 'public']);
const words = (file: string) =>
  path
    .basename(file)
    .split(/[.-]/)
    .filter(word => !general.has(word));

/** Tests in the order in which they are likely to notice a change of a file. */
export function nearestTests(file: string, tests: readonly { file: string; text: string }[]): string[] {
  const name = path.basename(file);
  const own = new Set(words(file));
  const folder = path.basename(path.dirname(file));
  const nearness = (test: { file: string; text: string }) =>
    3 * words(test.file).filter(word => own.has(word)).length +
    (test.text.includes(`${path.dirname(file) === path.dirname(test.file) ? '.' : folder}/${name}'`) ? 4 : 0) +
    (path.dirname(test.file) === path.dirname(file) ? 2 : 0) +
    (path.basename(test.file) === `${folder}.test.ts` ? 2 : 0) +
    [...own].filter(word => test.text.toLowerCase().includes(word.replace(/s$/, ''))).length +
    // Commands are tested as the command line runs them.
    (file.endsWith('.cli.ts') && path.basename(test.file) === 'cli.test.ts' ? 9 : 0);
  return [...tests].sort((one, other) => nearness(other) - nearness(one)).map(test => test.file);
}
