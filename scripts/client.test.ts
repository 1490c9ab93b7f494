import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { clientDescription, stampOf } from './lib/client-description.mjs';

test('the types of the client are made from the contract as it is; if not: npm run client', () => {
  const made = readFileSync(new URL('../client/src/api.d.ts', import.meta.url), 'utf8');
  expect(made.split('\n', 1)[0]).toBe(stampOf(clientDescription().hash));
});
