import type { App } from '#lib/app.ts';
import { counter } from '#lib/metrics.ts';
import { oneLine } from '#lib/one-line.ts';
import { type Gateway, type OwnGateway, openGateway } from './gateway.ts';
import {
  claimDueMessages,
  type DueMessage,
  dropExpired,
  forgetOld,
  markFailed,
  markSent,
  postpone,
  setGateway,
} from './sms.queries.ts';

const pauses = [3, 15, 60];
const leaseSeconds = 30;
const messages = counter('portico_sms_total', 'SMS by outcome', ['outcome']);

/** Finds the gateway of a location, if it has its own. */
export type FindGateway = (app: App, at: { tenantId: string; locationId: string }) => Promise<OwnGateway | undefined>;

const masked = (number: string): string => `${number.slice(0, 3)} ••• ${number.slice(-2)}`;

async function deliver(app: App, send: Gateway, find: FindGateway, it: DueMessage): Promise<void> {
  const log = { sms: it.id, attempt: it.attempts };
  try {
    const { to, text } = JSON.parse(app.secrets.decrypt(it.data)) as { to: string; text: string };
    const own = await find(app, { tenantId: it.tenant_id, locationId: it.location_id });
    if (own) {
      await app.db.withSystem(tx => setGateway(tx, it, own.integrationId, masked(to)));
      const gatewayId = await own.send({ id: it.id, to, text });
      await app.db.withSystem(tx => markSent(tx, it, { gatewayId, reports: own.reportsDelivery }));
    } else {
      await send({ id: it.id, to, text });
      await app.db.withSystem(tx => markSent(tx, it));
    }
    messages.inc({ outcome: 'sent' });
    app.log.info(log, 'sms sent');
  } catch (error) {
    const { message, code } = error as Error & { code?: unknown };
    const why = {
      code: typeof code === 'string' && /^[a-z_]+$/.test(code) ? code : null,
      words: oneLine(message),
    };
    const pause = pauses[it.attempts - 1];
    const over = pause === undefined || (it.left !== null && pause >= it.left);
    await app.db.withSystem(tx => (over ? markFailed(tx, it, why) : postpone(tx, it, why, pause)));
    messages.inc({ outcome: over ? 'failed' : 'postponed' });
    app.log.warn({ ...log, why: why.words }, over ? 'sms given up' : 'sms postponed');
  }
}

const none: FindGateway = async () => undefined;

/**
 * Sends due messages. Returns how many were claimed. `busy` has the locations whose messages are being sent. A slow gateway
 * delays its own messages only.
 */
export async function sendMessages(app: App, find: FindGateway = none, busy: Set<string> = new Set()): Promise<number> {
  const send = openGateway(app.settings);
  let taken = 0;
  const expired = await app.db.withSystem(dropExpired);
  if (expired > 0) messages.inc({ outcome: 'expired' }, expired);
  for (;;) {
    const due = await app.db.withSystem(tx => claimDueMessages(tx, 10, leaseSeconds, [...busy]));
    const locations = Map.groupBy(due, it => it.location_id);
    await Promise.all(
      [...locations].map(async ([location, messages]) => {
        const isFirst = !busy.has(location);
        busy.add(location);
        await Promise.all(messages.map(it => deliver(app, send, find, it))).finally(
          () => isFirst && busy.delete(location),
        );
      }),
    );
    taken += due.length;
    if (due.length < 10) return taken;
  }
}

/** A feature passes `find`, because this folder must not import features. */
export const smsJobs = (find: FindGateway, busy = new Set<string>()) => [
  {
    name: 'sms',
    everyMs: 1000,
    patienceMs: 1000,
    run: async (app: App) => void (await sendMessages(app, find, busy)),
  },
  {
    name: 'old sms',
    everyMs: 3_600_000,
    erases: true as const,
    run: async (app: App) => void (await app.db.withSystem(forgetOld)),
  },
];
