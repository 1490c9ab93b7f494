import { randomBytes } from 'node:crypto';
import sql from 'sql-template-tag';
import type { Tx } from '#db/tenant.ts';
import { createTenant } from '#features/tenants/public.ts';
import { type Actor, actorOf } from '#http/actor.ts';
import type { App } from '#lib/app.ts';
import { newId } from '#lib/ids.ts';
import type { AccountingRecord, AuthorizeDecision, AuthorizeRequest, RadiusDevice } from '#radius/types.ts';
import { sessionHandlers } from '../sessions.radius.ts';

const off = { is_active: false, option: 'day', value: 1 };
export const limits = {
  hours: (value: number) => ({ is_active: true, option: 'hour', value }),
  mbps: (value: number) => ({ is_active: true, option: 'mbps', value }),
  gb: (value: number) => ({ is_active: true, option: 'gb', value }),
  off,
};
const mikrotik = '0b0a0000-0000-4000-8000-000000000001';

export interface Guest {
  readonly mac?: string;
  readonly ip?: string;
  readonly user?: string;
  readonly password?: string;
  readonly key?: string;
}

/** A time zone where it is about noon, so that a test does not cross midnight. */
export function zoneAtNoon(): string {
  const now = new Date().getUTCHours();
  // From 21:00 UTC it is tomorrow in the product's default zone (UTC+3): the location has the same day, at most 14 hours ahead.
  const hours = now < 21 ? 12 - now : Math.min(36 - now, 14);
  // POSIX zones have the opposite sign: `Etc/GMT-3` is east of Greenwich.
  return hours === 0 ? 'Etc/GMT' : `Etc/GMT${hours > 0 ? '-' : '+'}${Math.abs(hours)}`;
}

async function makeTenant(app: App): Promise<string> {
  const slug = `t${randomBytes(4).toString('hex')}`;
  return app.db.withSystem(tx => createTenant(tx, slug, slug));
}

/** A venue with one router, by default in a new tenant, and functions that act as that router. */
export async function makeScene(app: App, inside?: string) {
  const tenantId = inside ?? (await makeTenant(app));
  const inTenant = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => app.db.withTenant(tenantId, work);
  const handlers = sessionHandlers(app);
  const locationId = newId();
  await inTenant(tx =>
    tx.run(
      sql`insert into locations (id, name, trial_end_at, time_zone) values (${locationId}, 'Venue', now() + interval '15 days', ${zoneAtNoon()})`,
    ),
  );

  async function addDevice(at = locationId): Promise<RadiusDevice> {
    const id = newId();
    const nas = randomBytes(6).toString('hex');
    await inTenant(tx =>
      tx.run(sql`
        insert into devices (id, location_id, brand_id, name, mac_address, nas_identifier, secret, trial_end_at, last_address)
        values (${id}, ${at}, ${mikrotik}, ${`Router ${nas}`}, ${nas}, ${nas}, ${app.secrets.encrypt('radius secret')}, now() + interval '15 days', '127.0.0.1')`),
    );
    return (await handlers.resolveDevice(nas))!;
  }
  const device = await addDevice();

  async function addProfile(
    it: { sharedUser?: number; duration?: object; upload?: object; download?: object } = {},
    more: Record<string, unknown> = {},
  ): Promise<string> {
    const id = newId();
    await inTenant(async tx => {
      await tx.run(sql`
        insert into profiles (id, location_id, name, shared_user, session_duration, max_upload, max_download, paid_sale)
        values (${id}, ${locationId}, 'Profile', ${it.sharedUser ?? 1}, ${it.duration ?? off}, ${it.upload ?? off}, ${it.download ?? off}, ${off})`);
      await change(tx, 'profiles', id, more);
    });
    return id;
  }

  async function addVisitor(username: string, password: string, set: Record<string, unknown> = {}): Promise<string> {
    const id = newId();
    await inTenant(async tx => {
      await tx.run(sql`
        insert into visitors (id, location_id, name, provider_type, username, password, session_duration, max_upload, max_download)
        values (${id}, ${locationId}, 'Ada Guest', 'username', ${username}, ${app.secrets.encrypt(password)}, ${off}, ${off}, ${off})`);
      await change(tx, 'visitors', id, set);
    });
    return id;
  }

  /** Someone who may do everything in the tenant. */
  async function addOperator(): Promise<Actor> {
    const id = newId();
    await inTenant(tx =>
      tx.run(sql`
        insert into users (id, email, first_name, last_name, role) values (${id}, ${`${id}@example.com`}, 'Ada', 'Operator', 'tenant-admin')`),
    );
    const row = { tenant_id: tenantId, user_id: id, token_id: newId(), role: 'tenant-admin' as const };
    return actorOf(
      { ...row, active_location_id: null, time_zone: null, tenant_time_zone: 'Europe/Istanbul', memberships: [] },
      null,
    );
  }

  const change = async (tx: Tx, table: string, id: string, set: Record<string, unknown>) => {
    for (const [column, value] of Object.entries(set))
      await tx.run(sql`update ${sql([table])} set ${sql([column])} = ${value} where id = ${id}`);
  };
  const set = (table: 'visitors' | 'locations' | 'devices' | 'profiles', id: string, values: Record<string, unknown>) =>
    inTenant(tx => change(tx, table, id, values));

  function request(guest: Guest, at = device): AuthorizeRequest {
    const password = guest.password ?? '';
    return {
      device: at,
      key: guest.key ?? randomBytes(16).toString('hex'),
      userName: guest.user ?? 'ada',
      method: 'pap',
      password,
      proven: true,
      checkPassword: clear => clear === password,
      mac: guest.mac ?? 'A0:00:00:00:00:01',
      framedIp: guest.ip ?? '10.5.50.9',
      calledStationId: undefined,
      nasPortId: undefined,
      sessionId: undefined,
      sourceIp: '127.0.0.1',
      receivedAt: new Date(),
    };
  }
  const decide = async (batch: readonly AuthorizeRequest[]): Promise<AuthorizeDecision[]> =>
    Promise.all(await handlers.authorize(batch));
  const signIn = async (guest: Guest, at = device): Promise<AuthorizeDecision> =>
    (await decide([request(guest, at)]))[0]!;

  interface RecordFields {
    session?: string;
    mac?: string | undefined;
    ip?: string;
    user?: string;
    class?: string | undefined;
    up?: number;
    down?: number;
    seconds?: number;
    /** How many seconds ago the event happened. */
    ago?: number;
    device?: RadiusDevice;
  }
  function record(status: AccountingRecord['status'], it: RecordFields = {}): AccountingRecord {
    const base = {
      device: it.device ?? device,
      sourceIp: '127.0.0.1',
      at: new Date(Date.now() - (it.ago ?? 0) * 1000),
      nasIp: undefined,
    };
    if (status === 'on' || status === 'off') return { ...base, status };
    return {
      ...base,
      status,
      sessionId: it.session ?? 's1',
      class: it.class,
      userName: it.user ?? 'ada',
      mac: 'mac' in it ? it.mac : 'A0:00:00:00:00:01',
      networks: [],
      framedIp: it.ip ?? '10.5.50.9',
      calledStationId: undefined,
      nasPortId: undefined,
      sessionSeconds: it.seconds ?? 0,
      uploadBytes: it.up ?? 0,
      downloadBytes: it.down ?? 0,
      terminateCause: status === 'stop' ? 'User-Request' : undefined,
    };
  }
  const send = (status: AccountingRecord['status'], it?: RecordFields) => handlers.account([record(status, it)]);

  interface Open {
    id: string;
    visitor_id: string | null;
    device_id: string;
    acct_session_id: string;
    class: string | null;
    started_at: string;
    updated_at: string;
    upload: number;
    download: number;
    reopened: boolean;
    interim: number;
    network_id: string | null;
  }
  const open = () => inTenant(tx => tx.many<Open>(sql`select * from online_sessions order by acct_session_id`));
  interface Closed extends Open {
    ended_at: string;
    close_reason: string;
    terminate_cause: string | null;
    seconds: number;
  }
  const closed = () =>
    inTenant(tx => tx.many<Closed>(sql`select * from session_history order by acct_session_id, started_at`));
  const days = () =>
    inTenant(tx =>
      tx.many<{ day: string; sessions: number; upload: number; download: number; seconds: number }>(
        sql`select day::text, sum(sessions)::bigint as sessions, sum(upload)::bigint as upload, sum(download)::bigint as download, sum(seconds)::bigint as seconds
            from session_days group by day order by day`,
      ),
    );
  /** Makes all open sessions older by some seconds. */
  const age = (seconds: number) =>
    app.db.withSystem(tx =>
      tx.run(sql`update online_sessions set updated_at = updated_at - make_interval(secs => ${seconds}), started_at = started_at - make_interval(secs => ${seconds})
        where tenant_id = ${tenantId}`),
    );

  return {
    app,
    tenantId,
    locationId,
    device,
    handlers,
    inTenant,
    addDevice,
    addProfile,
    addVisitor,
    addOperator,
    set,
    request,
    decide,
    signIn,
    record,
    send,
    open,
    closed,
    days,
    age,
  };
}
export type Scene = Awaited<ReturnType<typeof makeScene>>;
