import { fileURLToPath } from 'node:url';
import { api } from '@portico/contract/api.ts';
import type { Endpoint, Tree } from '@portico/contract/endpoint.ts';
import type { Plugin } from 'vite';

const source = fileURLToPath(new URL('./src/lib/api.ts', import.meta.url));

const isEndpoint = (node: Endpoint | Tree): node is Endpoint => typeof node.path === 'string';

const addressesOf = (tree: Tree): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(tree).map(([name, node]) => [
      name,
      isEndpoint(node) ? { method: node.method, path: node.path } : addressesOf(node),
    ]),
  );

/**
 * Gives the browser only the methods and paths of `#lib/api.ts`. The schemas (with zod some 35 KB) come with the forms
 * that check by them; the compiler sees the whole contract all the same.
 */
export const contractAddresses = (): Plugin => ({
  name: 'contract-addresses',
  load: id => (id === source ? `export const api = ${JSON.stringify(addressesOf(api))};` : null),
});
