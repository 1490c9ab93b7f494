// npm run model -- --runs=100000 [--seed=N]: many random venues against the model of sessions, half of them those of seed 1, and many
// random sales against the model of the money.
import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';

const { values } = parseArgs({ options: { runs: { type: 'string', default: '10000' }, seed: { type: 'string' } } });
const env = { ...process.env, MODEL_RUNS: String(Math.ceil(Number(values.runs) / 2)) };
if (values.seed) env.MODEL_SEED = values.seed;
const tests = ['server/src/features/sessions/model.test.ts', 'server/src/features/visitors/sales-model.test.ts'];
const { status } = spawnSync('npx', ['vitest', 'run', ...tests], {
  env,
  stdio: 'inherit',
});
process.exitCode = status ?? 1;
