import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { hash } from '@node-rs/argon2';
import { permissions as everyPermission } from '@portico/contract/permissions.ts';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import sql from 'sql-template-tag';
import { listenToChanges } from '#db/listen.ts';
import { createPool } from '#db/pool.ts';
import { createDatabase, type Tx } from '#db/tenant.ts';
import { insertUser } from '#features/auth/public.ts';
import { createTenant } from '#features/tenants/public.ts';
import type { App } from '#lib/app.ts';
import { newId } from '#lib/ids.ts';
import { hashKeysOf } from '#lib/secrets.ts';
import { createApi } from '../services/api.ts';
import { openReplica } from '../services/replica.ts';
import { secretsOf, watchTenants } from '../services/secret-key.ts';
import { readSettings, type Settings } from '../settings.ts';
import { afterFile } from './after-file.ts';
import { freshDatabase } from './database.ts';
import { expectDocumented } from './documented.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests check the shape of an answer
export type Body = any;
export interface Answer {
  readonly status: number;
  readonly body: Body;
  readonly headers: Headers;
  readonly text: string;
}
export interface Ask {
  readonly token?: string | undefined;
  readonly body?: unknown;
  readonly tenant?: string;
  readonly language?: 'tr' | 'en';
  readonly headers?: Record<string, string>;
}

// Verified at each of some thousand sign-ins; one of the product's strength takes a hundred times as long.
const passwordHash = hash('secret1', { memoryCost: 8, timeCost: 1 });

/** An app on a new database, or on that of DATABASE_URL; everything closes after the test file. */
export async function startApp(environment: Record<string, string> = {}): Promise<App> {
  const folder = mkdtempSync(path.join(tmpdir(), 'portico-app-'));
  const given = environment['DATABASE_URL'];
  const url = given ?? (await freshDatabase()).url;
  const settings = readSettings({
    environment: { NODE_ENV: 'test', DATA_DIR: folder, RATE_LIMIT: '1000000', ...environment },
    folder,
  }) as Settings;
  const fail = (error: Error) => process.stderr.write(`${error.message}\n`);
  // The database of this run answers: a queue for the connections, on a busy machine, is no outage.
  const pool = createPool(url, { max: 10, onError: fail, ...(given === undefined && { connectMs: 30_000 }) });
  const changes = listenToChanges(url, fail);
  const listens = new Promise<void>((resolve, reject) => {
    const limit = setTimeout(() => reject(new Error('The database cannot be listened to')), 60_000);
    changes.onListening(() => {
      clearTimeout(limit);
      resolve();
    });
  });
  const log = pino({ level: process.env['TEST_LOG'] ?? 'silent' });
  const replica = settings.DATABASE_READ_URL ? openReplica(settings.DATABASE_READ_URL, pool, log) : undefined;
  afterFile(async () => {
    await changes.close();
    await Promise.all([pool.end(), replica?.pool.end()]);
    rmSync(folder, { recursive: true, force: true });
  });
  const db = createDatabase(pool, { replica });
  const key = environment['SECRET_KEY'] ?? 'a key for the tests, long enough';
  const keys = { key, previous: undefined, hashKeys: hashKeysOf(key), isNext: false, writesNext: false };
  const held = secretsOf(keys);
  afterFile(watchTenants(db, changes, held));
  // What changes before is not heard, and a busy machine takes some seconds to begin.
  await listens;
  return {
    db,
    changes,
    settings,
    secrets: held.secrets,
    log,
  };
}

/** The API on a real port and a real database, with functions that call it and create test data. */
export async function startApi(environment: Record<string, string> = {}) {
  const app = await startApp(environment);
  const server: FastifyInstance = await createApi(app);
  await server.listen({ port: 0, host: '127.0.0.1' });
  afterFile(() => {
    server.server.closeAllConnections();
    return server.close();
  });
  const address = server.server.address() as { port: number };
  const url = `http://127.0.0.1:${address.port}`;

  async function ask(
    method: string,
    at: string,
    { token, body, tenant, language, headers }: Ask = {},
  ): Promise<Answer> {
    const form = body instanceof FormData;
    const response = await fetch(url + (at.startsWith('/') ? at : `/v1/${at}`), {
      method,
      headers: {
        'x-tenant': tenant ?? 'panel',
        ...(token ? { authorization: `Bearer ${token}` } : {}),
        ...(body !== undefined && !form ? { 'content-type': 'application/json' } : {}),
        ...(language ? { 'accept-language': language } : {}),
        ...headers,
      },
      ...(body === undefined ? {} : { body: form ? body : typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const json = response.headers.get('content-type')?.includes('json');
    const answer = {
      status: response.status,
      headers: response.headers,
      text,
      body: json && text ? JSON.parse(text) : text,
    };
    expectDocumented(method, new URL(response.url).pathname, answer);
    return answer;
  }

  const tenants = new Map<string, string>();
  async function tenantId(slug: string): Promise<string> {
    const known = tenants.get(slug);
    if (known) return known;
    const id = await app.db.withSystem(tx => createTenant(tx, slug, slug));
    tenants.set(slug, id);
    return id;
  }

  /** Runs work inside a tenant, for data that no endpoint can set. */
  const inTenant = async <T>(work: (tx: Tx) => Promise<T>, slug = 'panel'): Promise<T> =>
    app.db.withTenant(await tenantId(slug), work);

  let users = 0;
  /** Creates a user with a token. A member gets all permissions and all devices of a location by default. */
  async function user(
    role: 'tenant-admin' | 'reseller' | 'auditor' | 'member',
    options: {
      tenant?: string;
      email?: string;
      location?: string;
      permissions?: readonly string[];
      deviceIds?: readonly string[];
    } = {},
  ): Promise<{ id: string; email: string; token: string }> {
    const slug = options.tenant ?? 'panel';
    const id = newId();
    const email = options.email ?? `user${++users}@example.com`;
    const hash = await passwordHash;
    await inTenant(async tx => {
      await insertUser(tx, {
        id,
        email,
        firstName: 'Test',
        lastName: `User ${users}`,
        phone: '+905301112233',
        passwordHash: hash,
        role,
        language: 'en',
      });
      if (options.location)
        await tx.run(sql`insert into location_members (location_id, user_id, permissions, device_ids)
          values (${options.location}, ${id}, ${options.permissions ?? everyPermission}, ${options.deviceIds ?? null})`);
    }, slug);
    const answer = await ask('POST', 'user/login', { tenant: slug, body: { email, password: 'secret1' } });
    return { id, email, token: answer.body.data.token };
  }

  /** Creates a location as the owner of the token. */
  async function location(token: string, name: string, more: object = {}): Promise<string> {
    const made = await ask('POST', 'panel/location', { token, body: { name, ...more } });
    if (made.status !== 201) throw new Error(`No location: ${made.text}`);
    return made.body.data.id;
  }

  await tenantId('panel');
  return {
    app,
    server,
    url,
    ask,
    inTenant,
    tenantId,
    user,
    location,
    get: (at: string, options?: Ask) => ask('GET', at, options),
    post: (at: string, options?: Ask) => ask('POST', at, options),
    put: (at: string, options?: Ask) => ask('PUT', at, options),
    patch: (at: string, options?: Ask) => ask('PATCH', at, options),
    delete: (at: string, options?: Ask) => ask('DELETE', at, options),
    /** The calls of one user: `as(token).post('panel/portal', form)`. */
    as: (token: string, options?: Ask) => ({
      get: (at: string) => ask('GET', at, { ...options, token }),
      post: (at: string, body?: unknown) => ask('POST', at, { ...options, token, body }),
      put: (at: string, body?: unknown) => ask('PUT', at, { ...options, token, body }),
      delete: (at: string, more?: Ask) => ask('DELETE', at, { ...options, ...more, token }),
    }),
  };
}
export type TestApi = Awaited<ReturnType<typeof startApi>>;
export type Caller = ReturnType<TestApi['as']>;
