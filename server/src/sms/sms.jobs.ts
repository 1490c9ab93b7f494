import type { App } from '#lib/app.ts';
import { counter } from '#lib/metrics.ts';
import { type Gateway, openGateway } from './gateway.ts';
import { type DueMessage, forgetOld, markFailed, markSent, postpone, takeDueMessages } from './sms.queries.ts';

// A code is of no use after five minutes, so neither is its message.
const pauses = [3, 15, 60];
const uselessAfter = 280;
const leaseSeconds = 30;
const messages = counter('portico_sms_total', 'SMS by outcome', ['outcome']);

async function deliver(app: App, send: Gateway, it: DueMessage): Promise<void> {
  const log = { sms: it.id, attempt: it.attempts };
  try {
    const { to, text } = JSON.parse(app.secrets.decrypt(it.data)) as { to: string; text: string };
    await send({ id: it.id, to, text });
    await app.db.withSystem(tx => markSent(tx, it));
    messages.inc({ outcome: 'sent' });
    app.log.info(log, 'sms sent');
  } catch (error) {
    const why = (error as Error).message.slice(0, 300);
    const pause = pauses[it.attempts - 1];
    const over = pause === undefined || it.age + pause > uselessAfter;
    await app.db.withSystem(tx => (over ? markFailed(tx, it, why) : postpone(tx, it, why, pause)));
    messages.inc({ outcome: over ? 'failed' : 'postponed' });
    app.log.warn({ ...log, why }, over ? 'sms given up' : 'sms postponed');
  }
}

/** Sends what is due; answers how many messages were taken. */
export async function sendMessages(app: App): Promise<number> {
  const send = openGateway(app.settings);
  let taken = 0;
  for (;;) {
    const due = await app.db.withSystem(tx => takeDueMessages(tx, 10, leaseSeconds));
    await Promise.all(due.map(it => deliver(app, send, it)));
    taken += due.length;
    if (due.length < 10) return taken;
  }
}

export const smsJobs = [
  { name: 'sms', everyMs: 1000, run: async (app: App) => void (await sendMessages(app)) },
  { name: 'old sms', everyMs: 3_600_000, run: async (app: App) => void (await app.db.withSystem(forgetOld)) },
];
