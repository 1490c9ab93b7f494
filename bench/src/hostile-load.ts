import { Agent, request } from 'node:http';

/** Sends one kind of hostile request many times. A process of its own, so that it does not slow the measured guest down. */

export interface HostileLoad {
  readonly url: string;
  readonly method: string;
  /** `{n}` in the path and the body is replaced by the number of the request. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  readonly count: number;
  readonly inFlight: number;
  /** It ends after this time even if it has not sent all. */
  readonly maxMs: number;
}

const load = JSON.parse(process.argv[2]!) as HostileLoad;
const agent = new Agent({ keepAlive: true, maxSockets: load.inFlight });
const statuses: Record<string, number> = {};

const send = (n: number): Promise<void> =>
  new Promise(resolve => {
    const fill = (text: string) => text.replaceAll('{n}', String(n));
    const count = (status: string) => {
      statuses[status] = (statuses[status] ?? 0) + 1;
      resolve();
    };
    // Another address than the guest's: limits count per network.
    const options = { method: load.method, headers: load.headers, agent, localAddress: '127.0.0.2' };
    const call = request(load.url + fill(load.path), options, response => {
      response.resume();
      response.once('end', () => count(String(response.statusCode)));
    });
    call.once('error', () => count('none'));
    call.end(load.body && fill(load.body));
  });

const until = performance.now() + load.maxMs;
let next = 0;
const sender = async (): Promise<void> => {
  while (next < load.count && performance.now() < until) await send(next++);
};
await Promise.all(Array.from({ length: load.inFlight }, sender));
process.stdout.write(JSON.stringify(statuses));
agent.destroy();
