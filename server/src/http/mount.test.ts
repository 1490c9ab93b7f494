import { beforeAll, describe, expect, test } from 'vitest';
import { type Body, startApi, type TestApi } from '#test/harness.ts';

let api: TestApi;
let admin: string;
let device: string;
beforeAll(async () => {
  api = await startApi();
  admin = (await api.user('tenant-admin')).token;
  const location = await api.location(admin, 'Otel');
  const [brand] = (await api.get('panel/device/brands', { token: admin })).body.data;
  const body = { brand_id: brand.id, mac_address: 'A1:B2:C3:D4:E5:F6', name: 'Lobi', location_id: location };
  device = (await api.post('panel/device', { token: admin, body })).body.data.id;
});

describe('what a client sends', () => {
  test.each([
    'device?search=&status=&location_id=&page=&size=&per_page=',
    'onlines?mac=&ip=&deviceIds=&page=1',
    'failed-login?start_at=&end_at=&mac=',
    'statistics/overview?start_at=&end_at=&locationIds=&deviceIds[]=',
    'location?per_page=9999&license=&name=',
    'integration/available?type=&per_page=',
    'device/:id/logs?start_at=&end_at=&types=&page=',
    'device/:id/logs/histogram?interval=&gte=&lte=',
    'device/:id/macs?type=&mac=',
  ])('filters that nobody filled in are none: %s', async path => {
    const full = `panel/${path.replace(':id', device)}`;
    const answer = await api.get(full, { token: admin });
    expect(answer.status, answer.text).toBe(200);
    const without = await api.get(full.replace(/\?.*/, ''), { token: admin });
    expect(answer.body.meta?.total).toEqual(without.body.meta?.total);
  });

  test.each(['location', 'device', 'location/user-profile', 'onlines', 'reports/sessions'])(
    'the size of a page may be sent as `size`: %s',
    async path => {
      const page = await api.get(`panel/${path}?size=2&per_page=7`, { token: admin });
      expect(page.body.meta.per_page, page.text).toBe(2);
      const refused = await api.get(`panel/${path}?size=0`, { token: admin, language: 'tr' });
      expect([refused.status, refused.body.errors]).toEqual([422, { size: ['En az 1 olmalı.'] }]);
    },
  );

  test.each([
    'oauth/tokens',
    'panel/user/invites',
    'panel/location/roles',
    'panel/device/brands',
    'panel/device/brands/:brand/models',
    'panel/auth-provider',
  ])('a short list has links and totals like every list: %s', async path => {
    const [{ id: brand }] = (await api.get('panel/device/brands', { token: admin })).body.data;
    const { body, text } = await api.get(path.replace(':brand', brand), { token: admin });
    const n = body.data.length;
    expect(body.meta, text).toEqual({
      current_page: 1,
      from: n ? 1 : null,
      to: n || null,
      last_page: 1,
      path: `/v1/${path.replace(':brand', brand)}`,
      per_page: 1000,
      total: n,
    });
    expect(Object.keys(body.links).sort()).toEqual(['first', 'last', 'next', 'prev']);
    expect([body.links.next, body.links.prev]).toEqual([null, null]);

    const second = await api.get(`${path.replace(':brand', brand)}?per_page=1&page=2`, { token: admin });
    expect(second.body.data, second.text).toEqual(body.data.slice(1, 2));
    expect(second.body.meta).toMatchObject({ current_page: 2, per_page: 1, last_page: Math.max(1, n), total: n });
    const refused = await api.get(`${path.replace(':brand', brand)}?page=0&size=1001`, { token: admin });
    expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ['page', 'size']]);
  });

  test('a filter that means nothing is still refused', async () => {
    const answer = await api.get('panel/device?status=asleep&page=0', { token: admin });
    expect(answer.status).toBe(422);
    expect(Object.keys(answer.body.errors)).toEqual(['page', 'status']);
  });

  test.each([
    ['device/:id/license', 'year'],
    ['device/:id/network', 'subnet'],
    ['device/mikrotik/script/:id', 'hotspot_subnet'],
  ])('what is missing is told to be required: %s', async (path, field) => {
    for (const body of [{}, { [field]: null }]) {
      const answer = await api.post(`panel/${path.replace(':id', device)}`, { token: admin, body, language: 'tr' });
      expect(answer.status, answer.text).toBe(422);
      expect(answer.body.errors[field]).toEqual(['Bu alan zorunludur.']);
    }
    const wrong = await api.post(`panel/${path.replace(':id', device)}`, { token: admin, body: { [field]: 'x' } });
    expect(wrong.body.errors[field]).not.toEqual(['This field is required.']);
  });

  test('what is nested too deeply is not valid, and does not blame control characters', async () => {
    const nested = (depth: number) => JSON.parse(`${'['.repeat(depth)}${']'.repeat(depth)}`);
    for (const name of [nested(200), { a: nested(200) }]) {
      const answer = await api.post('panel/location', { token: admin, body: { name }, language: 'tr' });
      expect([answer.status, answer.body.errors]).toEqual([422, { name: ['Bu değer geçerli değil.'] }]);
    }
  });

  test.each(['text/plain', 'text/plain; charset=utf-8', 'application/x-www-form-urlencoded'])(
    'what says that it is %s is refused where JSON is read, whatever it holds',
    async type => {
      for (const body of ['{"name":"Metin"}', 'name=Metin', 'x']) {
        const headers = { authorization: `Bearer ${admin}`, 'content-type': type, 'accept-language': 'tr' };
        const answer = await fetch(`${api.url}/v1/panel/location`, { method: 'POST', headers, body });
        expect([answer.status, ((await answer.json()) as Body).message]).toEqual([
          415,
          'Bu içerik türü kabul edilmiyor.',
        ]);
      }
      const names = (await api.get('panel/location?per_page=999', { token: admin })).body.data.map(
        (it: Body) => it.name,
      );
      expect(names).not.toContain('Metin');
    },
  );

  test.each(['location', 'tenant', 'client', 'device/:id'])(
    'a form with parts is refused where JSON is read: %s',
    async path => {
      const body = new FormData();
      body.append('name', 'Başka');
      const full = `panel/${path.replace(':id', device)}`;
      const answer = await (path.includes(':id') ? api.put : api.post)(full, { token: admin, body, language: 'tr' });
      expect(answer.status, answer.text).toBe(415);
      expect(answer.body.message).toBe('Bu içerik türü kabul edilmiyor.');
    },
  );
});

describe('a known path with another method', () => {
  test.each([
    ['PATCH', '/v1/user/login', 'OPTIONS, POST'],
    ['GET', '/v1/user/login', 'OPTIONS, POST'],
    ['DELETE', '/v1/panel/location', 'GET, HEAD, OPTIONS, POST'],
    ['POST', '/v1/panel/user/me/', 'GET, HEAD, OPTIONS, PUT'],
    ['PUT', '/v1/panel/statistics/overview?x=1', 'GET, HEAD, OPTIONS'],
    ['POST', '/readyz', 'GET, HEAD, OPTIONS'],
    ['DELETE', '/docs', 'GET, HEAD, OPTIONS'],
    ['PROPFIND', '/v1/panel/location', 'GET, HEAD, OPTIONS, POST'],
  ])('%s %s is 405 and names the allowed ones', async (method, path, allow) => {
    const answer = await api.ask(method, path, { token: admin, language: 'tr' });
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, allow]);
    expect(answer.body.message).toBe('Bu adres bu yöntemi kabul etmiyor.');
  });

  test('OPTIONS names the allowed ones, and HEAD is GET without a body', async () => {
    for (const [path, allow] of [
      ['/v1/user/login', 'OPTIONS, POST'],
      ['/v1/openapi.json', 'GET, HEAD, OPTIONS'],
      ['/v1/panel/device/x', 'DELETE, GET, HEAD, OPTIONS, PUT'],
    ] as const) {
      const options = await api.ask('OPTIONS', path);
      expect([options.status, options.headers.get('allow'), options.text]).toEqual([204, allow, '']);
    }
    const head = await api.ask('HEAD', '/v1/panel/location', { token: admin });
    expect([head.status, head.headers.get('content-type'), head.text]).toEqual([
      200,
      'application/json; charset=utf-8',
      '',
    ]);
    expect((await api.ask('HEAD', '/v1/panel/location')).status).toBe(401);
  });

  test('an unknown path stays 404 with a problem, whatever the method', async () => {
    for (const method of ['GET', 'POST', 'DELETE', 'OPTIONS', 'PROPFIND']) {
      const answer = await api.ask(method, '/v1/panel/nothing', { token: admin });
      expect([answer.status, answer.body.code]).toEqual([404, 'not_found']);
    }
  });
});

test.each(['application/xml', 'application/x-www-form-urlencoded', 'text/csv', undefined])(
  'a body of the type %s is refused with 415 where JSON or a file is read',
  async type => {
    for (const [method, path] of [
      ['POST', 'panel/location'],
      ['PUT', 'panel/user/me'],
      ['POST', 'panel/client/import'],
      ['POST', 'user/login'],
    ] as const) {
      const headers = { authorization: `Bearer ${admin}`, ...(type && { 'content-type': type }) };
      const body = new TextEncoder().encode('<name/>');
      const answer = await fetch(`${api.url}/v1/${path}`, { method, headers, body });
      expect([path, answer.status]).toEqual([path, 415]);
    }
  },
);
