import { get, type IncomingMessage } from 'node:http';
import { json } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { inUrl, ownAddress } from '#lib/own-address.ts';
import { steadyNow } from '#lib/steady-clock.ts';
import type { Command } from './cli-command.ts';
import type { Settings } from './settings.ts';

const timeoutMs = 4000;

/** Asks the process that runs with these settings; for health checks of containers. Loads no feature, because it runs often. */
export const health: Command = {
  about: 'ask the running process whether it should get work; exit code 0 or 1',
  options: {
    live: { type: 'boolean', about: 'only whether it answers (/healthz)' },
    wait: { type: 'string', about: 'ask again for so many seconds while the answer is no' },
  },
  async alone(settings, values, print) {
    const until = steadyNow() + Number(values['wait'] ?? 0) * 1000;
    for (;;) {
      const { line, ok } = await ask(settings, values['live'] === true);
      if (ok || !(steadyNow() < until)) {
        print(line);
        return ok ? 0 : 1;
      }
      await sleep(250);
    }
  },
};

async function ask({ METRICS_HOST, METRICS_PORT }: Settings, live: boolean): Promise<{ line: string; ok: boolean }> {
  const url = `http://${inUrl(ownAddress(METRICS_HOST))}:${METRICS_PORT}/${live ? 'healthz' : 'readyz'}`;
  try {
    const answer = await open(url);
    const { status } = (await json(answer)) as { status: string };
    return { line: status, ok: answer.statusCode === 200 };
  } catch (error) {
    // An error of several addresses, as those of localhost, has a code only.
    const { message, code } = error as NodeJS.ErrnoException;
    return { line: `no answer from ${url}: ${message || code}`, ok: false };
  }
}

/** Without fetch(), whose start takes as much processor time as that of Node. */
const open = (url: string): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    get(url, { signal: AbortSignal.timeout(timeoutMs) }, resolve).once('error', reject);
  });
