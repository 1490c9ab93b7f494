import sql from 'sql-template-tag';
import type { Tx } from '#db/tenant.ts';

const visit = sql`interval '12 hours'`;

/** Notes that a rule leads a guest's device away before its sign-in; false when it did so in this visit already, or is gone. */
export const leadAway = async (tx: Tx, it: { ruleId: string; deviceId: string; mac: string }): Promise<boolean> =>
  (await tx.maybe(sql`
    insert into guest_redirects (rule_id, device_id, client_mac)
    select r.id, ${it.deviceId}, parse_mac(${it.mac}) from portal_rules r where r.id = ${it.ruleId}
    on conflict (tenant_id, rule_id, device_id, client_mac) do update set redirected_at = now()
      where guest_redirects.redirected_at < now() - ${visit}
    returning 1`)) !== undefined;

/** Across tenants: visits that are over. */
export const forgetLedAway = (tx: Tx) =>
  tx.run(sql`delete from guest_redirects where redirected_at < now() - ${visit}`);
