import type { FileChunks } from '@portico/contract/endpoint.ts';
import { steadyNow } from '#lib/steady-clock.ts';
import { AppError } from './app-error.ts';

/**
 * The file, for as long as its reader keeps the rights with which it began: a large one takes minutes. They are read again before
 * a part, at most once in `everyMs`. Without them the connection breaks, so that nobody takes the file for a complete one.
 */
export function guarded(file: FileChunks, keeps: () => Promise<boolean>, everyMs: number): FileChunks {
  const parts = file[Symbol.asyncIterator]();
  let asked = steadyNow();
  // Not a generator: see begun-file.ts.
  const rest = {
    next: async () => {
      if (steadyNow() - asked >= everyMs) {
        asked = steadyNow();
        if (!(await keeps())) throw new AppError('not_allowed');
      }
      return parts.next();
    },
    return: async () => {
      await parts.return?.();
      return { done: true, value: undefined } as const;
    },
  };
  return { [Symbol.asyncIterator]: () => rest };
}
