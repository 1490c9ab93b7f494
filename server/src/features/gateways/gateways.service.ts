import { findDeviceByNas, markReported, markSeen } from '#features/devices/public.ts';
import { endUnreported, judgeReported, openUnreported } from '#features/sessions/public.ts';
import type { App } from '#lib/app.ts';
import type { GatewayPull, TextQuery, WaitingGrant } from '#routers/driver.ts';
import { findDriver } from '#routers/drivers.ts';
import * as queries from './gateways.queries.ts';

interface Gateway {
  readonly id: string;
  readonly tenantId: string;
  readonly pull: GatewayPull;
}

/** The gateway that a path names; undefined unless its last part is right. */
async function gatewayOf(
  app: App,
  { nas, token, use }: { nas: string; token: string; use: 'calls' | 'script' },
): Promise<Gateway | undefined> {
  if (!/^[a-z0-9]{8,16}$/.test(nas)) return undefined;
  const device = await app.db.withSystem(tx => findDeviceByNas(tx, nas));
  const pull = device && findDriver(device.brand)?.pull;
  const secret = pull && app.secrets.read(device.secret);
  if (!secret || pull.paths(secret)[use] !== token) return undefined;
  return { id: device.id, tenantId: device.tenant_id, pull };
}

/** Keeps a permission until the guest's gateway fetches it. */
export const queueGrant = (
  app: App,
  at: { readonly tenantId: string; readonly deviceId: string; readonly ip: string },
  grant: WaitingGrant,
): Promise<number> =>
  app.db.withTenant(at.tenantId, tx => queries.insertGrant(tx, at.deviceId, { ...grant, ip: at.ip }));

/** The gateway has let these guests in: their sessions begin, and their permissions are used up. */
async function begin(app: App, { id, tenantId }: Gateway, rows: readonly queries.GrantRow[]): Promise<void> {
  for (const { mac, ip, class: named, ends, key } of rows)
    await openUnreported(app, { tenantId, deviceId: id, mac, ip, class: named, ends, key });
  if (rows.length) await app.db.withTenant(tenantId, tx => queries.deleteGrants(tx, id, rows));
}

/** The answer to a call of a gateway; undefined if the path is wrong. */
export async function answerGateway(
  app: App,
  at: { nas: string; token: string },
  fields: TextQuery,
): Promise<string | undefined> {
  const gateway = await gatewayOf(app, { ...at, use: 'calls' });
  const call = gateway?.pull.read(fields);
  if (!gateway || !call) return undefined;
  const { id, tenantId, pull } = gateway;
  const inTenant = <T>(work: Parameters<typeof app.db.withTenant<T>>[1]) => app.db.withTenant(tenantId, work);
  await inTenant(tx => markSeen(tx, [{ id, at: new Date() }]));
  switch (call.kind) {
    case 'started':
      // Its guests know the path as well, so this closes no session. Guests who sign in again replace their sessions.
      await inTenant(tx => queries.deleteOlder(tx, id));
      return 'ack';
    case 'fetch':
      return pull.grants(await inTenant(tx => queries.listWaiting(tx, id, pull.maxGrants)));
    case 'took':
      await begin(app, gateway, await inTenant(tx => queries.findWaiting(tx, id, call.macs)));
      return 'ack';
    case 'ended':
      await endUnreported(app, { tenantId, deviceId: id }, call.end);
      return 'ack';
    case 'other':
      return 'ack';
  }
}

/** Takes the report of the script on a gateway, and names the guests that it is to sign out. */
export async function takeReport(
  app: App,
  at: { nas: string; token: string },
  body: string,
): Promise<string | undefined> {
  const gateway = await gatewayOf(app, { ...at, use: 'script' });
  const report = gateway?.pull.report(body);
  if (!gateway || !report) return undefined;
  const { id, tenantId, pull } = gateway;
  const macs = report.guests.map(it => it.mac);
  const waiting = await app.db.withTenant(tenantId, async tx => {
    const now = new Date();
    await markSeen(tx, [{ id, at: now }]);
    await markReported(tx, id);
    return queries.findWaiting(tx, id, macs);
  });
  // A gateway whose confirmation was lost does not repeat it.
  const keys = new Map(report.guests.map(it => [it.mac, it.key]));
  await begin(
    app,
    gateway,
    waiting.filter(it => keys.get(it.mac) === it.key),
  );
  return pull.ends(await judgeReported(app, { tenantId, deviceId: id }, report.guests));
}
