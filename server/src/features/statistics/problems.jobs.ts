import type { WebhookEvent } from '@portico/contract/integration-names.ts';
import type { CurrentProblem } from '@portico/contract/statistics.ts';
import type { Tx } from '#db/tenant.ts';
import { tellWebhooks } from '#db/webhook-event.ts';
import { type Notice, notify } from '#features/notifications/public.ts';
import type { App } from '#lib/app.ts';
import { eachApart } from '#lib/each-apart.ts';
import { listProblems, listTenantsWithDevices } from './problems.queries.ts';

/** No more than that are told, the worst first. */
const atOnce = 500;

type Place = NonNullable<CurrentProblem['location']>;
type Notifications = {
  readonly event?: readonly [WebhookEvent, object];
  readonly notice: Omit<Notice, 'once' | 'locationId'>;
  /** A new value sends the notification again. */
  readonly once: string;
};

const ofDevice = ({ id, name }: CurrentProblem, location: Place) => ({
  to: { location: location.id, deviceId: id },
  deviceId: id,
  data: { device: name, location: location.name },
});

/** The problems of which no other part of the product sends a notification. */
const notificationsOf = {
  failed_logins: ({ name, amount }, location, today) => ({
    event: ['failed_sign_ins.rising', { name, failed: amount }],
    notice: {
      kind: 'failed_sign_ins',
      to: { location: location.id },
      data: { location: location.name, failed: amount ?? 0 },
    },
    once: today,
  }),
  log_silence: (it, location) => ({
    event: ['log_record.silent', { device_id: it.id, name: it.name, last_line_at: it.since }],
    notice: { kind: 'log_silence', ...ofDevice(it, location) },
    once: String(it.since),
  }),
  backlog: (it, location, today) => {
    const { data, ...device } = ofDevice(it, location);
    return {
      notice: { kind: 'commands_waiting', ...device, data: { ...data, waiting: it.amount ?? 0 } },
      once: today,
    };
  },
} as const satisfies Partial<
  Record<CurrentProblem['kind'], (it: CurrentProblem, at: Place, today: string) => Notifications>
>;
const kinds = Object.keys(notificationsOf) as (keyof typeof notificationsOf)[];

/** Notifies people and webhooks of such problems, webhooks once a day. */
export async function tellProblems(app: App): Promise<void> {
  const today = new Date().toISOString().slice(0, 10);
  const tenants = await app.db.withSystem(listTenantsWithDevices);
  await eachApart(app, tenants, tenant => app.db.withTenant(tenant.id, tx => tellOf(tx, today)));
}

async function tellOf(tx: Tx, today: string): Promise<void> {
  for (const kind of kinds)
    for (const it of await listProblems(tx, { scope: { kind: 'tenant' }, kinds: [kind] }, atOnce)) {
      if (!it.location) continue;
      const { event, notice, once }: Notifications = notificationsOf[kind](it, it.location, today);
      if (event) await tellWebhooks(tx, it.location.id, ...event, `${event[0]}:${it.id}:${today}`);
      await notify(tx, { ...notice, locationId: it.location.id, once: `${notice.kind}:${it.id}:${once}` });
    }
}

export const problemJobs = [{ name: 'tell problems', everyMs: 300_000, run: tellProblems }];
