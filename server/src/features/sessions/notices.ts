import type { App } from '#lib/app.ts';
import { collect } from '#lib/collect.ts';
import { notifyChanged } from './notices.queries.ts';

const everyMs = 250;

/**
 * Tells open screens which sessions changed, together for all batches of a quarter of a second. With a million guests online,
 * a notice per batch and location would be thousands a second, and every process gets each of them.
 */
export const createNotices = ({ db, log }: Pick<App, 'db' | 'log'>) => {
  const { add, end } = collect(
    everyMs,
    async (changes: readonly { readonly tenant: string; readonly device: string }[]) => {
      const tenants = new Map(changes.map(it => [it.device, it.tenant]));
      const devices = [...tenants].map(([id, tenant]) => ({ id, tenant }));
      // Screens refetch every minute, so a lost notice delays them only.
      await db
        .withSystem(tx => notifyChanged(tx, devices))
        .catch((error: unknown) => log.warn({ err: error }, 'screens were not told of changed sessions'));
    },
  );
  return {
    /** The sessions of these devices changed. */
    add: (rows: readonly { readonly tenant: string; readonly device: string }[]): void => {
      for (const { tenant, device } of rows) add({ tenant, device });
    },
    end,
  };
};
