import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { callApi, type Operator } from './operator.ts';
import type { Product } from './product.ts';

const cli = fileURLToPath(new URL('../../server/src/cli.ts', import.meta.url));

/** Makes another tenant, as the owner of the installation does, and signs its first administrator in. */
export async function makeTenant(product: Product): Promise<Operator> {
  const tenant = `brand-${randomBytes(4).toString('hex')}`;
  const account = { email: `${tenant}@example.com`, password: 'a password for journeys' };
  const terms = { slug: tenant, ...account };
  await promisify(execFile)(
    process.execPath,
    [cli, 'tenant', 'create', ...Object.entries(terms).flatMap(([option, value]) => [`--${option}`, value])],
    { env: { PATH: process.env.PATH, NODE_ENV: 'test', DATA_DIR: product.dataDir } },
  );
  const login = { method: 'POST', path: 'user/login', body: account, tenant };
  const { token } = (await callApi<{ data: { token: string } }>(product, login)).data;
  return {
    ...account,
    token,
    call: (method, path, body) => callApi(product, { method, path, body, token, tenant }),
  };
}
