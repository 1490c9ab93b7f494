import { randomBytes } from 'node:crypto';
import type { Product } from './product.ts';

/** A user of the panel, with a token for API calls that prepare a journey. */
export interface Operator {
  readonly email: string;
  readonly password: string;
  readonly token: string;
  call<Answer = unknown>(method: string, path: string, body?: object): Promise<Answer>;
}

type Login = { data: { token: string } };

// Each worker signs the administrator in once per product, because each password costs the product a slow hash.
const adminTokens = new Map<string, Promise<string>>();

function adminTokenOf(product: Product): Promise<string> {
  const known = adminTokens.get(product.panel);
  if (known) return known;
  const asked = tokenOf(product, product);
  adminTokens.set(product.panel, asked);
  asked.catch(() => adminTokens.delete(product.panel));
  return asked;
}

/** Creates a tenant administrator for one test, because the active location belongs to the user. */
export async function makeOperator(product: Product, firstName = 'Özge'): Promise<Operator> {
  const admin = callerOf(product, await adminTokenOf(product));
  const operator = {
    email: `operator-${randomBytes(5).toString('hex')}@example.com`,
    password: 'a password for journeys',
  };
  const name = { first_name: firstName, last_name: 'İşleten' };
  await admin('POST', 'panel/tenant/users', { ...operator, ...name, role: 'tenant-admin' });
  const token = await tokenOf(product, operator);
  return { ...operator, token, call: callerOf(product, token) };
}

/** Signs in and returns the token. */
export async function tokenOf(
  product: Product,
  { email, password }: { email: string; password: string },
): Promise<string> {
  const { data } = await callApi<Login>(product, { method: 'POST', path: 'user/login', body: { email, password } });
  return data.token;
}

const callerOf =
  (product: Product, token: string): Operator['call'] =>
  (method, path, body) =>
    callApi(product, { method, path, body, token });

interface Call {
  readonly method: string;
  readonly path: string;
  readonly body?: object | undefined;
  readonly token?: string;
  /** Its slug, if it is not the first tenant. */
  readonly tenant?: string;
}

/** Calls the API with JSON or a form; rejects with the answer if it is an error. */
export async function callApi<Answer>(product: Product, { method, path, body, token, tenant }: Call): Promise<Answer> {
  const response = await fetch(`${product.panel}/v1/${path}`, {
    method,
    headers: {
      ...(body && !(body instanceof FormData) && { 'content-type': 'application/json' }),
      ...(token && { authorization: `Bearer ${token}` }),
      ...(tenant && { 'x-tenant': tenant }),
    },
    ...(body && { body: body instanceof FormData ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  if (response.headers.get('content-type')?.startsWith('text/')) return text as Answer;
  return (text ? JSON.parse(text) : undefined) as Answer;
}
