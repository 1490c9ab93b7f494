import { createHash } from 'node:crypto';
import type { TestApi } from './harness.ts';

/** A victim location with one of everything, and the people who must not get at it. */
export interface Scene {
  /** What stands for a path's parameter: the victim's thing, by the path up to and with the parameter. */
  readonly things: Record<string, string>;
  /** Valid bodies, by method and path, so that a refusal is not just one of validation. */
  readonly bodies: Record<string, unknown>;
  /** Words that no one else may ever read. */
  readonly secrets: readonly string[];
  /** One hash over every row that belongs to the victim's location. */
  readonly ofVictim: () => Promise<string>;
  readonly foreigner: string;
  readonly neighbour: string;
  readonly powerless: string;
  readonly manager: string;
  readonly limited: string;
}

const word = 'Yalnızca-kurban';

export async function setScene(api: TestApi): Promise<Scene> {
  const admin = (await api.user('tenant-admin')).token;
  const made = async (at: string, body: unknown): Promise<{ id: string } & Record<string, never>> => {
    const answer = await api.post(at, { token: admin, body });
    if (answer.status !== 201) throw new Error(`${at}: ${answer.status} ${answer.text}`);
    return answer.body.data;
  };
  const location = (await made('panel/location', { name: `${word} lokasyonu` })).id;
  const other = (await made('panel/location', { name: 'Komşu' })).id;
  await api.tenantId('elsewhere');
  const foreigner = await api.user('tenant-admin', { tenant: 'elsewhere' });
  await api.post('panel/location', { tenant: 'elsewhere', token: foreigner.token, body: { name: 'Uzak' } });
  const manager = await api.user('member', { location });
  const profile = (await made('panel/location/user-profile', { location_id: location, name: `${word} profili` })).id;
  const token = (await api.get('oauth/tokens', { token: manager.token })).body.data[0].id;

  return {
    things: {
      '/v1/panel/location/:id': location,
      '/v1/panel/location/user-profile/:id': profile,
      '/v1/panel/user/team/change/:id': location,
      '/v1/oauth/tokens/:id': token,
    },
    bodies: {
      'PUT /v1/panel/location/:id': { name: 'Ele geçirildi' },
      'POST /v1/panel/location/:id/license': { year: 1 },
      'PUT /v1/panel/location/user-profile/:id': { name: 'Ele geçirildi' },
      'POST /v1/panel/location/user-profile': { name: 'Ele geçirildi', location_id: location },
    },
    secrets: [word, location, profile],
    ofVictim: async () => {
      const client = await api.app.db.pool.connect();
      try {
        const { rows } = await client.query<{ name: string }>(
          `select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'location_id' and not a.attisdropped
           where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition order by 1`,
        );
        const hash = createHash('sha256');
        for (const { name } of rows) {
          const sum = await client.query(
            `select coalesce(md5(string_agg(t::text, '|' order by t::text)), '') as sum from ${name} t where location_id = $1`,
            [location],
          );
          hash.update(`${name}:${sum.rows[0].sum}\n`);
        }
        const own = await client.query('select md5(l::text) as sum from locations l where id = $1', [location]);
        return hash.update(own.rows[0]?.sum ?? 'gone').digest('hex');
      } finally {
        client.release();
      }
    },
    foreigner: foreigner.token,
    neighbour: (await api.user('member', { location: other })).token,
    powerless: (await api.user('member', { location, permissions: [] })).token,
    manager: manager.token,
    limited: (await api.user('member', { location, deviceIds: ['00000000-0000-4000-8000-000000000000'] })).token,
  };
}
