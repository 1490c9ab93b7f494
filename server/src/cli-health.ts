import type { Command } from './cli-command.ts';

const anywhere: Record<string, string> = { '0.0.0.0': '127.0.0.1', '::': '[::1]' };
const timeoutMs = 4000;

/** Asks the process that runs with these settings; for health checks of containers. Loads no feature, because it runs often. */
export const health: Command = {
  about: 'ask the running process whether it should get work; exit code 0 or 1',
  options: { live: { type: 'boolean', about: 'only whether it answers (/healthz)' } },
  async alone({ METRICS_HOST, METRICS_PORT }, values, print) {
    const host = anywhere[METRICS_HOST] ?? (METRICS_HOST.includes(':') ? `[${METRICS_HOST}]` : METRICS_HOST);
    const url = `http://${host}:${METRICS_PORT}/${values['live'] ? 'healthz' : 'readyz'}`;
    try {
      const answer = await fetch(url, { signal: AbortSignal.timeout(timeoutMs) });
      const { status } = (await answer.json()) as { status: string };
      print(status);
      return answer.ok ? 0 : 1;
    } catch (error) {
      const { message, cause } = error as Error;
      print(`no answer from ${url}: ${(cause as Error | undefined)?.message ?? message}`);
      return 1;
    }
  },
};
