import { beforeAll, expect, test } from 'vitest';
import { startApi, type TestApi } from '#test/harness.ts';

let api: TestApi;
let admin: string;
let location: string;

beforeAll(async () => {
  api = await startApi();
  admin = (await api.user('tenant-admin')).token;
  location = await api.location(admin, 'Otel');
});

const role = { name: 'Gece', permissions: { clients: ['view'] } };
const made: Record<string, () => [path: string, body: object]> = {
  'a role of the tenant': () => ['panel/tenant/roles', role],
  'a role of a location': () => [`panel/location/${location}/role`, { ...role, name: 'Gündüz' }],
  'a personal access token': () => ['panel/user/token', { name: 'ERP', permissions: ['view-clients'] }],
  'a mailed report': () => [
    'panel/reports/mail',
    {
      location_id: location,
      name: 'Özet',
      frequency: 'weekly',
      reports: ['sales'],
      recipients: ['a@example.com'],
      language: 'tr',
    },
  ],
};

test.each(Object.keys(made))(
  'of several deletions of %s at once, one is answered with 204 and recorded',
  async kind => {
    const [path, body] = made[kind]!();
    const answer = await api.post(path, { token: admin, body });
    expect(answer.status, answer.text).toBe(201);
    const { id } = answer.body.data;
    const ends = await Promise.all(Array.from({ length: 8 }, () => api.delete(`${path}/${id}`, { token: admin })));
    expect(ends.map(it => it.status).filter(it => it !== 404)).toEqual([204]);
    const entries = await api.get(`panel/audit?subject_id=${id}&verb=delete`, { token: admin });
    expect(entries.body.meta.total).toBe(1);
  },
);
