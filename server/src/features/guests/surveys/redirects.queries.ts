import sql from 'sql-template-tag';
import type { Tx } from '#db/tenant.ts';

const visit = sql`interval '12 hours'`;

/** Notes that a rule leads a guest's device away before its sign-in; false when it did so in this visit already, or is gone. */
export const leadAway = async (tx: Tx, it: { ruleId: string; deviceId: string; mac: string }): Promise<boolean> =>
  (await tx.maybe(sql`
    insert into guests_led_away (rule_id, device_id, client_mac)
    select r.id, ${it.deviceId}, mac_of(${it.mac}) from portal_rules r where r.id = ${it.ruleId}
    on conflict (tenant_id, rule_id, device_id, client_mac) do update set led_at = now()
      where guests_led_away.led_at < now() - ${visit}
    returning 1`)) !== undefined;

/** Across tenants: visits that are over. */
export const forgetLedAway = (tx: Tx) => tx.run(sql`delete from guests_led_away where led_at < now() - ${visit}`);
