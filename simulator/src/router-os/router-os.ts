import { openApiServer } from './api-server.ts';
import { makeCertificate } from './certificate.ts';
import type { Behaviour } from './listener.ts';
import { type Entry, type HotspotGuests, openMenus } from './menus.ts';
import { openRestServer } from './rest-server.ts';
import { readPollSource, runPollScript } from './script-runner.ts';

export interface RouterOsOptions {
  readonly address?: string | undefined;
  readonly identity?: string | undefined;
  readonly version?: string | undefined;
  readonly username?: string | undefined;
  readonly password?: string | undefined;
  /** `challenge` before version 6.43, `plain` since. */
  readonly login?: 'plain' | 'challenge' | undefined;
  readonly guests?: HotspotGuests | undefined;
}

export interface RouterOs {
  readonly ports: { readonly rest: number; readonly api: number; readonly 'api-ssl': number };
  /** The IP bindings: bypassed and blocked guest devices. */
  readonly bindings: () => Entry[];
  readonly add: (binding: Entry) => void;
  readonly behave: (behaviour: Behaviour) => void;
  /** Makes the next `add` fail with this message. */
  readonly refuseNext: (words: string) => void;
  readonly renewCertificate: () => void;
  readonly requests: (service: 'rest' | 'api' | 'api-ssl') => number;
  /** Installs the scheduler line of the panel's script. */
  readonly paste: (script: string) => void;
  /** Runs the scheduler's job once. Returns the HTTP status of the panel's first answer and the number of scripts run. */
  readonly poll: (options?: {
    readonly answers?: boolean;
  }) => Promise<{ readonly status: number; readonly scripts: number }>;
  /** The address that the scheduler polls. */
  readonly polls: () => string | undefined;
  readonly close: () => Promise<void>;
}

const maxScripts = 20;

/** The management services of a simulated RouterOS: REST, the binary API with and without TLS, and the polling scheduler. */
export const openRouterOs = async (options: RouterOsOptions = {}): Promise<RouterOs> => {
  const { address = '127.0.0.1', identity = 'MikroTik', version = '7.18.2 (stable)' } = options;
  const { username = 'portico', password = 'a router password', login = 'plain' } = options;
  const menus = openMenus({
    identity: () => identity,
    version,
    guests: options.guests ?? { list: () => [], end: () => undefined },
  });
  let behaviour: Behaviour = 'good';
  let source: { url: string; token: string } | undefined;
  const tls = makeCertificate('router');
  const shared = { address, port: 0, menus, behaviour: () => behaviour };
  const rest = await openRestServer({
    ...shared,
    tls,
    isUser: (name, given) => name === username && given === password,
  });
  const api = await openApiServer({ ...shared, login, username, password });
  const apiSsl = await openApiServer({ ...shared, tls, login, username, password });
  const listeners = { rest, api, 'api-ssl': apiSsl };

  const ask = async (url: string, token: string): Promise<Response> =>
    fetch(url, { headers: { 'x-portico-token': token } });

  const poll: RouterOs['poll'] = async ({ answers = true } = {}) => {
    if (!source) throw new Error('no script was pasted');
    let status = 0;
    for (let scripts = 0; scripts < maxScripts; scripts += 1) {
      const response = await ask(`${source.url}${version.split(' ')[0]}`, source.token);
      const script = await response.text();
      status ||= response.status;
      if (!response.ok || script === '') return { status, scripts };
      const moved = readPollSource(script);
      if (moved) {
        // The script ends the one that ran it, so the new address is asked a minute later.
        source = moved;
        return { status, scripts: scripts + 1 };
      }
      const answer = runPollScript(menus, { script, version });
      if (!answers) return { status, scripts: scripts + 1 };
      if (answer) await (await ask(answer.url, answer.token)).text();
    }
    return { status, scripts: maxScripts };
  };

  return {
    ports: { rest: rest.port, api: api.port, 'api-ssl': apiSsl.port },
    bindings: () => menus.print('ip/hotspot/ip-binding', {}),
    add: binding => void menus.add('ip/hotspot/ip-binding', binding),
    behave: chosen => {
      behaviour = chosen;
    },
    refuseNext: menus.refuseNext,
    renewCertificate: () => {
      const next = makeCertificate('router');
      rest.renew(next);
      apiSsl.renew(next);
    },
    requests: service => listeners[service].requests(),
    paste: script => {
      source = readPollSource(script);
      if (!source) throw new Error('the script has no scheduler line');
    },
    poll,
    polls: () => source?.url,
    close: async () => {
      await Promise.all(Object.values(listeners).map(listener => listener.close()));
    },
  };
};
