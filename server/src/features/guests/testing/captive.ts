import { execFile } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { mkdtempSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { FastifyInstance } from 'fastify';
import { inject } from 'vitest';
import { afterFile } from '#test/after-file.ts';
import type { TestApi } from '#test/harness.ts';
import { createCaptive } from '../../../services/captive.ts';

const root = fileURLToPath(new URL('../../../../../', import.meta.url));

let pages: Promise<string> | undefined;
/** The built guest portal. Test files of one process share it: a build takes a second of the processor. */
export const buildPages = (): Promise<string> => (pages ??= build());

async function build(): Promise<string> {
  const folder = mkdtempSync(path.join(inject('shared'), 'captive-'));
  await promisify(execFile)(
    process.execPath,
    [path.join(root, 'node_modules/vite/bin/vite.js'), 'build', '--logLevel', 'warn'],
    {
      cwd: path.join(root, 'captive'),
      env: { ...process.env, NODE_ENV: 'production', PORTICO_CAPTIVE_OUT: folder },
    },
  );
  return folder;
}

export interface PageAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly html: string;
}

interface Route {
  readonly method: string;
  readonly path: string;
}

/** The guest portal of a test's API on a real port. Redirects are not followed, so that tests can check them. */
export async function startCaptive({ app }: TestApi, renderer: string) {
  const routes: Route[] = [];
  const collect = (message: unknown) => {
    (message as { fastify: FastifyInstance }).fastify.addHook('onRoute', ({ method, url }) => {
      for (const it of [method].flat()) if (it !== 'HEAD' && it !== 'OPTIONS') routes.push({ method: it, path: url });
    });
  };
  subscribe('fastify.initialization', collect);
  const server = await createCaptive(app, { renderer });
  unsubscribe('fastify.initialization', collect);
  await server.listen({ port: 0, host: '127.0.0.1' });
  afterFile(() => {
    server.server.closeAllConnections();
    return server.close();
  });
  const url = `http://127.0.0.1:${(server.server.address() as { port: number }).port}`;

  async function ask(at: string, init: RequestInit = {}): Promise<PageAnswer> {
    const response = await fetch(url + at, { redirect: 'manual', ...init });
    return { status: response.status, headers: response.headers, html: await response.text() };
  }
  /**
   * Submits a form as a browser does: the answer leads to a page of ours, which is loaded. Redirects to the router, the status
   * page and the next form are not followed. The page's cookies include those of the redirect.
   */
  async function submit(at: string, init: RequestInit): Promise<PageAnswer> {
    const answer = await ask(at, { method: 'POST', ...init });
    const to = answer.headers.get('location') ?? '';
    if (
      answer.status !== 303 ||
      !/^\/w\/\w+(\/(problem|devices|survey|social|log-out)\?|\/(buy|restore)\?(.*&)?(problem|sent)=|\?(.*&)?step=)/.test(
        to,
      )
    )
      return answer;
    const set = answer.headers.getSetCookie();
    const cookie = [new Headers(init.headers).get('cookie') ?? '', ...set.map(it => it.split(';')[0]!)]
      .filter(Boolean)
      .join('; ');
    const page = await ask(to, { headers: { ...(init.headers as Record<string, string>), cookie } });
    const headers = new Headers(page.headers);
    for (const it of set) headers.append('set-cookie', it);
    return { ...page, headers };
  }
  const query = (values: Record<string, string>) => new URLSearchParams(values).toString();
  return {
    url,
    /** Ends it, as the end of the process does. */
    close: () => server.close(),
    /** Every address that the portal answers. */
    routes: routes as readonly Route[],
    ask,
    get: (at: string, headers: Record<string, string> = {}) => ask(at, { headers }),
    /** Submits a form without following a redirect. */
    post: (at: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
      ask(at, {
        method: 'POST',
        body: query(fields),
        headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      }),
    form: (at: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
      submit(at, {
        body: query(fields),
        headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      }),
  };
}
