import sql from 'sql-template-tag';
import type { Tx } from '#db/tenant.ts';

const visitDuration = sql`interval '12 hours'`;

interface Redirect {
  readonly ruleId: string;
  readonly deviceId: string;
  readonly mac: string;
}

/** Whether a rule redirected a guest in this visit. */
export const wasRedirected = async (tx: Tx, it: Redirect): Promise<boolean> =>
  (await tx.maybe(sql`
    select 1 from guest_redirects where rule_id = ${it.ruleId} and device_id = ${it.deviceId}
      and client_mac = parse_mac(${it.mac}) and redirected_at >= now() - ${visitDuration}`)) !== undefined;

/** Records that a rule redirects a guest before its sign-in. Returns false if it already did in this visit, or is gone. */
export const noteRedirect = async (tx: Tx, it: Redirect): Promise<boolean> =>
  (await tx.maybe(sql`
    insert into guest_redirects (rule_id, device_id, client_mac)
    select r.id, ${it.deviceId}, parse_mac(${it.mac}) from portal_rules r where r.id = ${it.ruleId}
    on conflict (tenant_id, rule_id, device_id, client_mac) do update set redirected_at = now()
      where guest_redirects.redirected_at < now() - ${visitDuration}
    returning 1`)) !== undefined;

/** Runs under withSystem. */
export const forgetOldRedirects = (tx: Tx) =>
  tx.run(sql`delete from guest_redirects where redirected_at < now() - ${visitDuration}`);
