import { parentPort, workerData } from 'node:worker_threads';
import { readCorpus } from './corpus.ts';
import { explore } from './engine.ts';
import { targets } from './targets.ts';

const { name, ms, seed, shared } = workerData as { name: string; ms: number; seed: number; shared: SharedArrayBuffer };
const target = targets.find(it => it.name === name)!;
const place = Buffer.from(shared);
const port = parentPort!;
const plain = (it: ReturnType<typeof explore>) => ({
  ...{ runs: it.runs, covered: it.covered },
  found: it.found.map(input => input.toString('base64')),
  findings: it.findings.map(({ input, problem }) => ({ problem, input: input.toString('base64') })),
});

const result = explore(target, readCorpus(name), {
  ...{ ms, seed },
  // The main thread reads it when this one no longer answers.
  trying: input => {
    place.writeUInt32BE(input.length, 0);
    place.set(input, 4);
  },
  report: progress => port.postMessage(plain(progress)),
});
port.postMessage({ ...plain(result), done: true });
