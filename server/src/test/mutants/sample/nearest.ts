import path from 'node:path';

const general = new Set(['ts', 'sql', 'test', 'queries', 'service', 'routes', 'jobs', 'radius', 'cli', 'public']);
const words = (file: string) =>
  path
    .basename(file)
    .split(/[.-]/)
    .filter(word => !general.has(word));

/** The tests that are most likely to notice a change of a file, best first. */
export function nearestTests(file: string, tests: readonly { file: string; text: string }[]): string[] {
  const name = path.basename(file);
  const own = new Set(words(file));
  const folder = path.basename(path.dirname(file));
  const nearness = (test: { file: string; text: string }) =>
    3 * words(test.file).filter(word => own.has(word)).length +
    (test.text.includes(`${path.dirname(file) === path.dirname(test.file) ? '.' : folder}/${name}'`) ? 4 : 0) +
    (path.dirname(test.file) === path.dirname(file) ? 2 : 0) +
    (path.basename(test.file) === `${folder}.test.ts` ? 2 : 0) +
    // Commands are tested as the command line runs them.
    (file.endsWith('.cli.ts') && path.basename(test.file) === 'cli.test.ts' ? 9 : 0);
  return [...tests]
    .filter(test => nearness(test) > 0)
    .sort((one, other) => nearness(other) - nearness(one))
    .map(test => test.file);
}
