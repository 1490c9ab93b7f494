import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { readCorpus, writeCorpus } from './corpus.ts';
import type { Target } from './target.ts';
import { targets } from './targets.ts';

/*
 * `npm run fuzz`: ten minutes over all targets. `-- --minutes=1 --only=radius`. `--keep` adds the new inputs to the corpus.
 * Exit code 1 when an input crashed, hung or broke a rule of its target.
 */
const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    only: { type: 'string' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    keep: { type: 'boolean', default: false },
  },
});

interface Report {
  readonly runs: number;
  readonly covered: number;
  readonly found: readonly string[];
  readonly findings: readonly { readonly input: string; readonly problem: string }[];
  readonly done?: boolean;
}

const hangsAfterMs = 60_000;

function fuzz(target: Target, ms: number, seed: number): Promise<Report> {
  const shared = new SharedArrayBuffer(target.longest + 4096);
  const worker = new Worker(new URL('worker.ts', import.meta.url), {
    workerData: { name: target.name, ms, seed, shared },
  });
  let last: Report = { runs: 0, covered: 0, found: [], findings: [] };
  let heard = Date.now();
  return new Promise((resolve, reject) => {
    const finish = (report: Report): void => {
      clearInterval(watch);
      void worker.terminate();
      resolve(report);
    };
    const watch = setInterval(() => {
      if (Date.now() - heard < hangsAfterMs) return;
      const place = Buffer.from(shared);
      const input = place.subarray(4, 4 + place.readUInt32BE(0)).toString('base64');
      finish({ ...last, findings: [...last.findings, { input, problem: `no answer for ${hangsAfterMs / 1000} s` }] });
    }, 1000);
    worker.on('message', (report: Report) => {
      heard = Date.now();
      last = report;
      if (report.done) finish(report);
    });
    worker.on('error', error => {
      clearInterval(watch);
      reject(error);
    });
  });
}

const chosen = targets.filter(({ name }) => !values.only || values.only.split(',').includes(name));
const ms = (Number(values.minutes) * 60_000) / Math.max(1, chosen.length);
let [inputs, problems] = [0, 0];
for (const target of chosen) {
  const { runs, covered, found, findings } = await fuzz(target, ms, Number(values.seed));
  inputs += runs;
  problems += findings.length;
  console.log(
    `${target.name.padEnd(16)} ${runs.toLocaleString('en')} inputs, ${found.length} with new code, ${covered} characters of code covered`,
  );
  for (const { problem, input } of findings) console.log(`  ${problem}\n  input (base64): ${input}`);
  if (values.keep)
    writeCorpus(target.name, [
      ...readCorpus(target.name),
      ...[...found, ...findings.map(it => it.input)].map(it => Buffer.from(it, 'base64')),
    ]);
}
console.log(`${inputs.toLocaleString('en')} inputs, ${problems} problems, seed ${values.seed}`);
process.exitCode = problems > 0 || chosen.length === 0 ? 1 : 0;
