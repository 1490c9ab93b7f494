import sql from 'sql-template-tag';
import { expect } from 'vitest';
import { type Body, startApi } from '#test/harness.ts';

export const citizenId = '10000000146';

export type Desk = Awaited<ReturnType<typeof openDesk>>;

/** Two locations with an administrator, and forms of visitors. */
export async function openDesk() {
  const api = await startApi();
  const admin = (await api.user('tenant-admin')).token;
  const location = await api.location(admin, 'Otel');
  const other = await api.location(admin, 'Kafe');
  let names = 0;
  const user = (more: object = {}) => ({
    name: 'Ayşe Yılmaz',
    provider_type: 'username',
    username: `ayse${++names}`,
    password: 'parola1',
    location_id: location,
    ...more,
  });
  const born = { birth_day: 29, birth_month: 2, birth_year: 1984 };
  const citizen = (more: object = {}) => ({
    name: 'Ali',
    provider_type: 'citizen-id',
    provider_id: citizenId,
    ...born,
    location_id: location,
    ...more,
  });
  const room = (more: object = {}) => ({
    name: 'Veli',
    provider_type: 'room-number',
    room_number: '101',
    ...born,
    location_id: location,
    ...more,
  });
  const make = async (body: object): Promise<Body> => {
    const answer = await api.post('panel/client', { token: admin, body });
    expect(answer.status, answer.text).toBe(201);
    return answer.body.data;
  };
  const at = (id: string) => `panel/client/${id}`;
  const total = async () =>
    (await api.inTenant(tx => tx.one<{ n: number }>(sql`select count(*) as n from visitors`))).n;
  const viewer = async () => (await api.user('member', { location, permissions: ['view-clients'] })).token;
  return { api, admin, location, other, user, citizen, room, make, at, total, viewer };
}
