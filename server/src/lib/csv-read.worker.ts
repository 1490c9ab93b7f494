import { parentPort, workerData } from 'node:worker_threads';
import { CsvProblem, type CsvRecord, decodeText, readCsv } from './csv-read.ts';

/** The answer of the thread. It has plain objects, because threads cannot exchange classes. */
export type CsvAnswer = readonly CsvRecord[] | { readonly problem: Pick<CsvProblem, 'problem' | 'line'> };

function read({ bytes, max }: { bytes: Uint8Array; max: number }): CsvAnswer {
  try {
    return readCsv(decodeText(bytes), max);
  } catch (error) {
    if (!(error instanceof CsvProblem)) throw error;
    return { problem: { problem: error.problem, line: error.line } };
  }
}

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
parentPort!.postMessage(read(workerData as { bytes: Uint8Array; max: number }));
