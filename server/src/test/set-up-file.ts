import { afterAll } from 'vitest';
import { endFile } from './after-file.ts';
import { changedSince, processState, restore } from './process-state.ts';

// Test files share a process, and which ones do is chance.
const before = processState();
afterAll(async () => {
  let changed: string[] = [];
  await endFile().finally(() => {
    changed = changedSince(before);
    restore(before);
  });
  if (changed.length > 0) throw new Error(`This file leaves its process changed: ${changed.join(', ')}`);
});
