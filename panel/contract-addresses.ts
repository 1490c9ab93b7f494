import { fileURLToPath } from 'node:url';
import { api } from '@portico/contract/api.ts';
import type { Endpoint, Tree } from '@portico/contract/endpoint.ts';
import type { Plugin } from 'vite';

const source = fileURLToPath(new URL('./src/lib/api.ts', import.meta.url));
const imported = /\bimport\s*\{\s*api\s*\}\s*from\s*['"]#lib\/api\.ts['"];?/;

type Addresses = { [name: string]: string | Addresses };

const isEndpoint = (node: Endpoint | Tree): node is Endpoint => typeof node.path === 'string';

const addressOf = (node: Endpoint | Tree): Addresses =>
  isEndpoint(node)
    ? { method: node.method, path: node.path }
    : Object.fromEntries(Object.entries(node).map(([name, child]) => [name, addressOf(child)]));

/** Finds the endpoint, or the folder of endpoints, that `.devices.list.path` names, and the names that are left (`.path`). */
function find(names: readonly string[]): { node: Endpoint | Tree; rest: readonly string[] } {
  let node: Endpoint | Tree = api;
  let at = 0;
  for (; at < names.length && !isEndpoint(node); at += 1) {
    const child: Endpoint | Tree | undefined = node[names[at] ?? ''];
    if (!child) throw new Error(`The contract has no api.${names.join('.')}`);
    node = child;
  }
  return { node, rest: names.slice(at) };
}

/** Puts the addresses that a module uses at its top. */
function inlined(code: string): string {
  const constants = new Map<string, string>();
  const body = code.replace(imported, '').replace(/(?<![\w$.'"`/-])api((?:\.\w+)+)/g, (_, names: string) => {
    const { node, rest } = find(names.slice(1).split('.'));
    const value = JSON.stringify(addressOf(node));
    const name = constants.get(value) ?? `api$${constants.size}`;
    constants.set(value, name);
    return [name, ...rest].join('.');
  });
  return [...Array.from(constants, ([value, name]) => `const ${name} = ${value};`), body].join('\n');
}

/**
 * Leaves of `#lib/api.ts` only methods and paths in the browser, and of these only the ones that a module uses: all of them
 * would be 4 KB of each first view. The schemas (about 35 KB with zod) load with the forms that use them. The compiler still
 * sees the whole contract.
 */
export const contractAddresses = (): Plugin => {
  let isBuild = true;
  return {
    name: 'contract-addresses',
    configResolved: ({ command }) => {
      isBuild = command === 'build';
    },
    load: id => (id === source ? `export const api = ${JSON.stringify(addressOf(api))};` : null),
    transform: code => (isBuild && imported.test(code) ? { code: inlined(code), map: null } : null),
  };
};
