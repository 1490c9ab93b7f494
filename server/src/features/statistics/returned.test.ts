import sql from 'sql-template-tag';
import { beforeAll, expect, test } from 'vitest';
import { newId } from '#lib/ids.ts';
import { startApi } from '#test/harness.ts';
import { makeDevice } from '../logs/testing/fixture.ts';
import { seededRandom } from './testing/random.ts';

/* Random visitors over two tenants, three locations and five devices. Callers of every kind ask who returned. */

const api = await startApi();
const seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000);
const random = seededRandom(seed);
const pick = <T>(of: readonly T[]): T => of[random(of.length)]!;

interface Device {
  readonly id: string;
  readonly location: string;
  readonly tenantId: string;
}
/** What a visitor did at a device on a day; without sessions, one of the day before went on. */
interface Use {
  readonly device: Device;
  readonly visitor: string;
  readonly day: string;
  readonly sessions: number;
}
interface Caller {
  readonly token: string;
  readonly tenant?: string;
  readonly sees: (use: Use) => boolean;
}

const dayOf = (n: number) => new Date(Date.UTC(2024, 1, 1 + n)).toISOString().slice(0, 10);
const longest = 40;
let devices: Device[];
let uses: Use[];
let callers: Record<string, Caller>;
/** At which device a visitor was created. */
const homes = new Map<string, string | null>();

beforeAll(async () => {
  const zones = ['Europe/Istanbul', 'Pacific/Kiritimati', 'America/Los_Angeles'];
  const first = await Promise.all(zones.map((zone, n) => makeDevice(api, { nas: `donenmisafir${n}`, zone })));
  const second = await makeDevice(api, { nas: 'donenmisafir3', location: first[0]!.location });
  const foreign = await makeDevice(api, { nas: 'donenmisafir4', tenant: 'elsewhere' });
  devices = [...first, second, foreign];
  const own = devices.slice(0, 4);

  const visitors = Array.from({ length: 60 }, () => newId());
  const off = '{"is_active":false,"option":"day","value":1}';
  for (const id of visitors) {
    homes.set(id, random(3) === 0 ? null : pick(own).id);
    await api.inTenant(tx =>
      tx.run(sql`
        insert into visitors (id, location_id, device_id, name, provider_type, session_duration, max_upload, max_download)
        values (${id}, ${pick(own).location}, ${homes.get(id)}, 'Misafir', 'username', ${off}, ${off}, ${off})`),
    );
  }
  // Some visitors come often and others hardly ever, so that both answers are frequent in short and long periods.
  uses = Array.from({ length: 300 }, () => ({
    device: pick(devices),
    visitor: visitors[random(1 + random(visitors.length))]!,
    day: dayOf(random(longest)),
    sessions: random(4) === 0 ? 0 : 1 + random(2),
  }));
  const deltas = uses.map(({ device, visitor, day, sessions }) => ({
    tenant_id: device.tenantId,
    location_id: device.location,
    device_id: device.id,
    visitor_id: visitor,
    day,
    hour: 12,
    sessions,
    seconds: 60,
    upload: 1,
    download: 1,
  }));
  await api.app.db.withSystem(async tx => {
    const { all } = await tx.one<{ all: string }>(
      sql`select array_agg(x)::text as all from jsonb_populate_recordset(null::usage_delta, ${JSON.stringify(deltas)}::jsonb) x`,
    );
    await tx.run(sql`call add_usage(${all}::usage_delta[])`);
  });

  const [a, b, c] = [first[0]!, first[1]!, first[2]!];
  const admin = await api.user('tenant-admin');
  const reseller = await api.user('reseller');
  await api.inTenant(tx =>
    tx.run(sql`update locations set owner_id = ${reseller.id} where id = any(${[a.location, b.location]})`),
  );
  const at = (...of: Device[]) => {
    const locations = of.map(it => it.location);
    return (use: Use) => locations.includes(use.device.location);
  };
  callers = {
    administrator: { token: admin.token, sees: use => use.device.tenantId === a.tenantId },
    auditor: { token: (await api.user('auditor')).token, sees: use => use.device.tenantId === a.tenantId },
    reseller: { token: reseller.token, sees: at(a, b) },
    'member of a location': { token: (await api.user('member', { location: c.location })).token, sees: at(c) },
    'member of a device': {
      token: (await api.user('member', { location: a.location, deviceIds: [second.id] })).token,
      sees: use => use.device.id === second.id && [null, second.id].includes(homes.get(use.visitor)!),
    },
    'administrator of another tenant': {
      token: (await api.user('tenant-admin', { tenant: 'elsewhere' })).token,
      tenant: 'elsewhere',
      sees: at(foreign),
    },
  };
});

/** The visitors with sessions that began on at least two days of the period. */
function returned(from: string, to: string, sees: (use: Use) => boolean): number {
  const found = uses.filter(use => use.sessions > 0 && use.day >= from && use.day <= to && sees(use));
  const days = Map.groupBy(found, use => use.visitor);
  return [...days.values()].filter(of => new Set(of.map(use => use.day)).size > 1).length;
}

async function asked({ token, tenant }: Caller, query: string): Promise<number> {
  const { status, body, text } = await api.get(`panel/statistics/overview?${query}`, {
    token,
    ...(tenant && { tenant }),
  });
  expect(status, text).toBe(200);
  return body.data.returned_users;
}

const periods = (): [string, string][] => [
  [dayOf(0), dayOf(longest)],
  ...Array.from({ length: 8 }, (): [string, string] => {
    const from = random(longest);
    return [dayOf(from), dayOf(from + random(14))];
  }),
];

test(`every caller counts the visitors who returned to what it may see (SEED=${seed})`, async () => {
  for (const [name, caller] of Object.entries(callers))
    for (const [from, to] of periods()) {
      const query = `start_at=${from}&end_at=${to}`;
      expect(await asked(caller, query), `${name}, ${from} to ${to}`).toBe(returned(from, to, caller.sees));
      const chosen = devices.filter(() => random(2) === 0).concat(devices[0]!);
      const ids = chosen.map(it => it.id);
      const ofDevices = returned(from, to, use => caller.sees(use) && ids.includes(use.device.id));
      const some = `${query}${ids.map(id => `&deviceIds=${id}`).join('')}`;
      expect(await asked(caller, some), `${name}, ${from} to ${to}, devices`).toBe(ofDevices);
    }
  expect(returned(dayOf(0), dayOf(longest), callers['administrator']!.sees)).toBeGreaterThan(5);
});

test('a chosen location counts its own visitors, and a deleted visitor stays in the counts', async () => {
  const [from, to] = [dayOf(0), dayOf(longest)];
  const query = `start_at=${from}&end_at=${to}`;
  const { administrator } = callers as { administrator: Caller };
  for (const { location } of devices.slice(0, 3)) {
    const expected = returned(from, to, use => use.device.location === location);
    expect(await asked(administrator, `${query}&locationIds=${location}`)).toBe(expected);
  }
  const before = await asked(administrator, query);
  const often = uses.find(use => returned(from, to, it => administrator.sees(it) && it.visitor === use.visitor) === 1)!;
  const gone = await api.delete(`panel/client/${often.visitor}`, { token: administrator.token });
  expect(gone.status, gone.text).toBe(204);
  expect(await asked(administrator, query)).toBe(before);
});
