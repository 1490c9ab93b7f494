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
 * Reduces `#lib/api.ts` to methods and paths in the browser. The schemas (about 35 KB with zod) load with the forms that
 * use them. The compiler still sees the whole contract.
 */
export const contractAddresses = (): Plugin => ({
  name: 'contract-addresses',
  load: id => (id === source ? `export const api = ${JSON.stringify(addressesOf(api))};` : null),
});
