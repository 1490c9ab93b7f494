import type { System } from './restart-system.ts';

/** A device of a location of its own, with the visitors of that location. */
export interface Router {
  readonly nas: string;
  readonly secret: string;
  readonly location: string;
  readonly visitors: readonly { readonly username: string; readonly password: string }[];
}

/** Makes locations with a device and visitors through the API. */
export async function makeVenue(system: System, count: number, guests: number): Promise<Router[]> {
  const { ports } = system.servers[0]!;
  const post = async (at: string, body: object): Promise<Record<string, string>> => {
    const answer = await fetch(`http://127.0.0.1:${ports.PORT}/v1/panel/${at}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${system.token}` },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${at}: ${answer.status} ${await answer.text()}`);
    return ((await answer.json()) as { data: Record<string, string> }).data;
  };
  const client = await system.connect();
  const { rows } = await client.query<{ id: string }>(`select id from brands where slug = 'mikrotik'`);
  await client.end();
  const routers: Router[] = [];
  for (let n = 0; n < count; n++) {
    const location_id = (await post('location', { name: `Venue ${n}` }))['id']!;
    const hex = n.toString(16).padStart(4, '0');
    const mac_address = `02:00:00:00:${hex.slice(0, 2)}:${hex.slice(2)}`;
    const device = await post('device', { location_id, brand_id: rows[0]!.id, name: 'Lobby', mac_address });
    const visitors = [];
    for (let i = 0; i < Math.ceil(guests / count / 4); i++) {
      const visitor = { username: `guest${n}x${i}`, password: `soak-${n}-${i}` };
      // Several guests share an account, as a family does.
      await post('client', { location_id, name: `Guest ${i}`, provider_type: 'username', shared_user: 10, ...visitor });
      visitors.push(visitor);
    }
    routers.push({ nas: device['nas_identifier']!, secret: device['secret']!, location: location_id, visitors });
  }
  return routers;
}
