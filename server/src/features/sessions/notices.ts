import type { App } from '#lib/app.ts';
import { notifyChanged } from './notices.queries.ts';

const everyMs = 250;

/**
 * Tells open screens which sessions changed, together for all batches of a quarter of a second: a notice per batch and location
 * would be thousands a second with a million guests online, and every process hears each of them.
 */
export const createNotices = (app: Pick<App, 'db' | 'log'>) => {
  let changed = new Map<string, string>();
  let timer: NodeJS.Timeout | undefined;

  const send = async (): Promise<void> => {
    timer = undefined;
    const devices = [...changed].map(([id, tenant]) => ({ id, tenant }));
    changed = new Map();
    // Screens refetch every minute, so a lost notice delays them only.
    await app.db
      .withSystem(tx => notifyChanged(tx, devices))
      .catch((error: unknown) => app.log.warn({ err: error }, 'screens were not told of changed sessions'));
  };

  return {
    /** The sessions of these devices changed. */
    add: (rows: readonly { readonly tenant: string; readonly device: string }[]): void => {
      for (const { device, tenant } of rows) changed.set(device, tenant);
      timer ??= setTimeout(() => void send(), everyMs);
      timer.unref();
    },
  };
};
