// Loaded before a test file (`node --import`): changes one line of the product while it is read. No file is written.
import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';

const { PORTICO_MUTANT: patch } = process.env;
if (patch) {
  const { url, from, to } = JSON.parse(patch) as { url: string; from: string; to: string };
  registerHooks({
    load: (at, context, next) => {
      if (at.split('?')[0] !== url) return next(at, context);
      const source = readFileSync(new URL(url), 'utf8').replace(from, () => to);
      return { ...next(at, context), source, shortCircuit: true };
    },
  });
}
