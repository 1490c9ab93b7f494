import { tellWebhooks, tenantsToTell } from '#db/webhook-event.ts';
import type { App } from '#lib/app.ts';
import { listProblems } from './problems.queries.ts';

/** No more than that are told, the worst first. */
const atOnce = 500;

/** Tells webhooks of problems that no row and no other job tells, each once a day. */
export async function tellProblems(app: App): Promise<void> {
  const today = new Date().toISOString().slice(0, 10);
  for (const [kind, event] of [
    ['failed_logins', 'failed_sign_ins.rising'],
    ['log_silence', 'log_record.silent'],
  ] as const)
    for (const tenant of await app.db.withSystem(tx => tenantsToTell(tx, event)))
      await app.db.withTenant(tenant.id, async tx => {
        for (const it of await listProblems(tx, { scope: { kind: 'tenant' }, kinds: [kind] }, atOnce)) {
          const { id, name, amount, since } = it;
          const data =
            kind === 'failed_logins' ? { name, failed: amount } : { device_id: id, name, last_line_at: since };
          await tellWebhooks(tx, it.location?.id ?? null, event, data, `${event}:${id}:${today}`);
        }
      });
}

export const problemJobs = [{ name: 'tell problems', everyMs: 300_000, run: tellProblems }];
