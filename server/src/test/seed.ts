import { execFileSync } from 'node:child_process';

/**
 * The seed of tests that make up their input, as an integer from 0 to 2^28 - 1. It follows from the committed sources: a commit has the
 * same tests on each machine, and another commit has others. `MODEL_SEED` replaces it. Without git it is random.
 */
export function testSeed(): number {
  const given = process.env['MODEL_SEED'];
  if (given !== undefined) return Number(given);
  try {
    const tree = execFileSync('git', ['rev-parse', 'HEAD^{tree}'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return Number.parseInt(tree.slice(0, 7), 16);
  } catch {
    return Math.floor(Math.random() * 2 ** 28);
  }
}
