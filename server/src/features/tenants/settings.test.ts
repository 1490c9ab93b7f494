import { beforeAll, describe, expect, test } from 'vitest';
import { startDns } from '#test/dns-server.ts';
import { startApi, type TestApi } from '#test/harness.ts';
import { fileForm, picture } from '#test/uploads.ts';

let api: TestApi;
let admin: string;
let dns: Awaited<ReturnType<typeof startDns>>;
beforeAll(async () => {
  dns = await startDns();
  api = await startApi({
    DNS_SERVERS: dns.address,
    PUBLIC_URL: 'https://wifi.example',
    CAPTIVE_URL: 'https://{tenant}.guest.example',
  });
  admin = (await api.user('tenant-admin')).token;
});

const brand = { brand_name: 'Acme', brand_long_name: 'Acme Ağ Çözümleri' };
const save = (body: object, token = admin) => api.post('panel/tenant', { token, body: { ...brand, ...body } });

async function upload(bytes: Buffer, name: string, token = admin, collection = 'tenant-brands') {
  return api.post('panel/tenant/images', { token, body: fileForm(bytes, { collection, name }) });
}

describe('the settings of a tenant', () => {
  test('brand the sign-in page', async () => {
    const logo = await upload(await picture(), 'logo.png');
    expect(logo.status).toBe(201);
    expect(logo.body.data.url).toMatch(/^https:\/\/panel\.guest\.example\/uploads\/.+\.webp$/);
    const { brand: former } = (await api.get('config')).body.data;
    const [entry] = (await api.get('panel/audit?subject_type=picture', { token: admin })).body.data;
    expect(entry.subject.name).toBe(former.name);
    const answer = await save({
      primary_color: '#AA3300',
      landing_logo: logo.body.data.url,
      landing_background: 'linear-gradient(135deg, #AA3300, #112233)',
      landing_title: { tr: 'Hoş geldiniz', en: 'Welcome' },
      landing_slogan: { tr: 'Misafirleriniz için' },
      landing_copyright: { en: '© Acme' },
    });
    expect(answer.status).toBe(200);
    expect(answer.body.data).toMatchObject({
      ...brand,
      primary_color: '#aa3300',
      landing_logo: logo.body.data.url,
      require_second_factor: false,
    });
    expect((await api.get('panel/tenant', { token: admin })).body.data).toEqual(answer.body.data);
    expect((await api.get('config')).body.data).toMatchObject({
      brand: { name: 'Acme', long_name: 'Acme Ağ Çözümleri', primary_color: '#aa3300' },
      landing: {
        logo: { src: logo.body.data.url },
        title: { tr: 'Hoş geldiniz', en: 'Welcome' },
        description: { tr: 'Misafirleriniz için' },
        background: 'linear-gradient(135deg, #aa3300, #112233)',
        bottom: { copyright: { en: '© Acme' } },
      },
    });
    await save({ landing_bottom_image: logo.body.data.url });
    const { landing } = (await api.get('config')).body.data;
    expect(landing.bottom.image).toEqual({ src: logo.body.data.url });
    const bare = await save({ landing_logo: null });
    expect(bare.body.data.landing_logo).toBeNull();
    expect(bare.body.data.primary_color).toBe('#aa3300');
    expect(bare.body.data.landing_title).not.toEqual({});
    const wordless = await save({ landing_title: null, landing_slogan: null, landing_copyright: null });
    expect(wordless.body.data).toMatchObject({ landing_title: {}, landing_slogan: {}, landing_copyright: {} });
  });

  test('refuse values other than colours, texts and own pictures', async () => {
    const before = (await api.get('panel/tenant', { token: admin })).body.data;
    for (const body of [
      { brand_name: ' ' },
      { primary_color: 'red' },
      { primary_color: '#12345' },
      { landing_background: 'url(https://evil.example/x.png)' },
      { landing_background: 'linear-gradient(90deg, #112233, #445566), url(//evil.example)' },
      { landing_background: 'linear-gradient(90deg, #112233, #445566);}body{display:none' },
      { landing_logo: 'https://evil.example/logo.png' },
      { landing_background_image: '/uploads/00000000-0000-4000-8000-000000000000/a.webp' },
      { landing_logo: '/uploads/../../secret.key' },
      { landing_title: { xx: 'no such language' } },
      { landing_title: { tr: 'x'.repeat(501) } },
      { password_min: 3 },
    ]) {
      const answer = await save(body);
      expect(answer.status, JSON.stringify(body)).toBe(422);
      expect(Object.keys(answer.body.errors)[0]).toContain(Object.keys(body)[0]);
    }
    const none = await api.post('panel/tenant', { token: admin, body: {}, language: 'tr' });
    expect(none.body.errors).toEqual({ brand_name: ['Bu alan zorunludur.'], brand_long_name: ['Bu alan zorunludur.'] });
    expect((await api.get('panel/tenant', { token: admin })).body.data).toEqual(before);
  });

  test('accept pictures only, and re-encode them', async () => {
    const scripted = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>';
    expect((await upload(Buffer.from(scripted), 'a.svg')).body.errors).toHaveProperty('file');
    expect((await upload(Buffer.from('<html></html>'), 'a.png')).status).toBe(422);
    for (const bytes of [2_000_001, 3_000_000]) {
      const large = await upload(Buffer.alloc(bytes), 'a.png');
      expect([large.status, large.body.errors]).toEqual([413, { file: ['The file must not exceed 2 MB.'] }]);
    }
    expect((await upload(await picture(), 'a.png', admin, 'other')).body.errors).toHaveProperty('collection');
    const plain =
      '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9" fill="red"/></svg>';
    expect((await upload(Buffer.from(plain), '../../a.svg')).status).toBe(201);
    const doctype =
      '<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">';
    const saved = `<?xml version="1.0" encoding="utf-8"?>\n<!-- Saved by a drawing program -->\n${doctype}\n${plain}`;
    expect((await upload(Buffer.from(saved), 'logo.svg')).status).toBe(201);
    const reader = plain.replace('<rect', '<image href="file:///etc/passwd" width="9" height="9"/><rect');
    expect((await upload(Buffer.from(reader), 'a.svg')).body.errors).toHaveProperty('file');
    const huge = plain.replaceAll('"9"', '"90000"');
    expect((await upload(Buffer.from(huge), 'a.svg')).body.errors).toHaveProperty('file');
  });

  test('are changed by tenant administrators and visible to auditors', async () => {
    const location = await api.location(admin, 'Otel');
    const auditor = (await api.user('auditor')).token;
    expect((await api.get('panel/tenant', { token: auditor })).status).toBe(200);
    expect((await api.get('panel/tenant/users', { token: auditor })).status).toBe(200);
    expect((await api.get('panel/tenant/domains', { token: auditor })).status).toBe(200);
    const others = [auditor, (await api.user('reseller')).token, (await api.user('member', { location })).token];
    for (const token of others) {
      expect((await save({}, token)).status).toBe(403);
      expect((await upload(await picture(), 'a.png', token)).status).toBe(403);
      expect((await api.post('panel/tenant/domains', { token, body: { host: 'a.example' } })).status).toBe(403);
      expect((await api.post('panel/tenant/users', { token, body: {} })).status).toBe(403);
    }
    for (const token of others.slice(1)) expect((await api.get('panel/tenant', { token })).status).toBe(403);
    expect((await api.get('panel/tenant')).status).toBe(401);
  });
});

describe('domains', () => {
  type Who = { token?: string; tenant?: string };
  const add = (host: string, body: object = {}, options: Who = {}) =>
    api.post('panel/tenant/domains', { token: admin, ...options, body: { host, ...body } });
  const check = (host: string, options: Who = {}) =>
    api.post(`panel/tenant/domains/${host}/check`, { token: admin, ...options });
  const slugAt = async (host: string) =>
    (await api.server.inject({ url: '/v1/config', headers: { host } })).json().data.slug;

  test('lead to the tenant, with their variant', async () => {
    const made = await add('Musteri.Acme.example', { variant: 'reseller' });
    expect(made.status).toBe(201);
    const { record } = made.body.data;
    expect(made.body.data).toMatchObject({ host: 'musteri.acme.example', variant: 'reseller', verified_at: null });
    expect(record).toMatchObject({ type: 'TXT', name: '_portico.musteri.acme.example' });
    const config = async () =>
      (await api.server.inject({ url: '/v1/config', headers: { host: 'musteri.acme.example' } })).json().data;
    expect(await config(), 'before the proof').toMatchObject({ variant: 'standard' });
    const early = await check('musteri.acme.example');
    expect([early.status, early.body.code]).toEqual([409, 'domain_unproven']);
    expect(early.body.message).toContain('_portico.musteri.acme.example');
    dns.records.set(record.name, 'portico=something-else');
    expect((await check('musteri.acme.example')).status).toBe(409);
    dns.records.set(record.name, record.value);
    const done = await check('musteri.acme.example');
    expect(done.status).toBe(200);
    expect(done.body.data.verified_at).not.toBeNull();
    expect(await config()).toMatchObject({ slug: 'panel', variant: 'reseller' });
    expect((await api.get('panel/tenant/domains', { token: admin })).body.data).toHaveLength(1);
    expect((await api.delete('panel/tenant/domains/musteri.acme.example', { token: admin })).status).toBe(204);
    expect((await api.delete('panel/tenant/domains/musteri.acme.example', { token: admin })).status).toBe(404);
    expect(await config()).toMatchObject({ variant: 'standard' });
  });

  test('are not taken from another tenant or from the installation', async () => {
    const own = (await add('otel.example')).body.data.record;
    expect((await add('otel.example')).body.errors).toEqual({ host: ['This is already in use.'] });
    const rival = await api.user('tenant-admin', { tenant: 'rival' });
    const options = { token: rival.token, tenant: 'rival' };
    expect((await check('otel.example', options)).status).toBe(404);
    expect((await api.delete('panel/tenant/domains/otel.example', options)).status).toBe(404);
    // An unproven claim blocks no tenant: the tenant that controls the DNS gets the name.
    const { record } = (await add('otel.example', {}, options)).body.data;
    dns.records.set(record.name, record.value);
    expect((await check('otel.example')).status).toBe(409);
    expect((await check('otel.example', options)).status).toBe(200);
    expect(await slugAt('otel.example')).toBe('rival');
    // The name has changed hands. The tenant that lost it has to prove it again.
    dns.records.set(own.name, own.value);
    expect((await check('otel.example')).status).toBe(200);
    expect(await slugAt('otel.example')).toBe('panel');
    const [lost] = (await api.get('panel/tenant/domains', options)).body.data;
    expect(lost).toMatchObject({ host: 'otel.example', verified_at: null });
    for (const host of ['wifi.example', 'panel.wifi.example', 'guest.example', 'rival.guest.example'])
      expect((await add(host, {}, options)).body.errors, host).toEqual({
        host: ['This host name is reserved for the installation.'],
      });
    for (const host of ['', 'localhost', '10.0.0.1', 'a b.example', 'https://a.example', '-a.example', 'a.example:80'])
      expect((await add(host)).body.errors, host).toHaveProperty('host');
  });
});
