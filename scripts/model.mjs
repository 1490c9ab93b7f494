// npm run model -- --runs=100000 [--seed=N]: random venues against the model of sessions, and random sales against the model of the
// money. Every 5,000 venues have a seed of their own, N and those after it, so a run that was stopped goes on from there.
import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: { runs: { type: 'string', default: '10000' }, seed: { type: 'string', default: '1' } },
});
const tests = ['server/src/features/sessions/model.test.ts', 'server/src/features/visitors/sales-model.test.ts'];
const perSeed = 5000;

let seed = Number(values.seed);
for (let left = Number(values.runs); left > 0; left -= perSeed, seed++) {
  const runs = Math.min(left, perSeed);
  const env = { ...process.env, MODEL_RUNS: String(runs), MODEL_SEED: String(seed) };
  const { status } = spawnSync('npx', ['vitest', 'run', ...tests], { env, stdio: 'inherit' });
  if (status !== 0) {
    console.log(`seed ${seed} differs, or was stopped`);
    process.exitCode = status ?? 1;
    break;
  }
  console.log(`seed ${seed}: ${runs} venues equal the model`);
}
