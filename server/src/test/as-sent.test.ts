import { beforeAll, describe, expect, test } from 'vitest';
import { type Body, startApi, type TestApi } from '#test/harness.ts';

/** Requests of clients written from the documentation: empty choices, absent values for disabled options, strings for numbers. */

let api: TestApi;
let admin: string;
let place: string;
beforeAll(async () => {
  api = await startApi();
  admin = (await api.user('tenant-admin')).token;
  place = await api.location(admin, 'Kafe Işık');
});

const post = (path: string, body: unknown) => api.post(path, { token: admin, body: body as Body });
const put = (path: string, body: unknown) => api.put(path, { token: admin, body: body as Body });

describe('numbers', () => {
  test.each([
    ['nothing', null],
    ['an empty text', ''],
    ['a tick', true],
    ['a list', [1]],
  ])('%s is none', async (_, sent) => {
    const before = (await api.get(`panel/location/${place}`, { token: admin })).body.data;
    for (const [path, body, field] of [
      [`panel/location/${place}`, { download_limit: sent }, 'download_limit'],
      [`panel/location/${place}`, { time_limit: sent }, 'time_limit'],
    ] as const) {
      const refused = await put(path, body);
      expect(refused.status, `${field} ${refused.text}`).toBe(422);
      expect(Object.keys(refused.body.errors)).toEqual([field]);
    }
    expect((await api.get(`panel/location/${place}`, { token: admin })).body.data).toEqual(before);
    const licence = await post(`panel/location/${place}/license`, { year: sent });
    expect(licence.status, licence.text).toBe(422);
    expect(Object.keys(licence.body.errors)).toEqual(['year']);
  });

  test('off the steps of a slider are refused with a message', async () => {
    const { id } = (await post('panel/portal', { name: 'Adım', location_id: place })).body.data;
    const between = await put(`panel/portal/${id}`, { styles: { logo_scale: 52 } });
    expect(between.body.errors).toEqual({ 'styles.logo_scale': ['Must be a multiple of 5.'] });
  });

  test('have one message for one fault, with the bounds that are in force', async () => {
    const profile = 'panel/location/user-profile';
    const limit = (option: string, value: unknown, is_active = true) => ({ is_active, option, value });
    for (const [path, body, field, message] of [
      [profile, { max_upload: limit('mbps', 2000) }, 'max_upload.value', 'Must be between 1 and 100.'],
      [profile, { max_upload: limit('mbps', -1) }, 'max_upload.value', 'Must be between 1 and 100.'],
      [profile, { max_upload: limit('mbps', 2000, false) }, 'max_upload.value', 'Must be between 0 and 1024.'],
      [profile, { max_upload: limit('kbps', 100) }, 'max_upload.value', 'Must be between 128 and 1024.'],
      [profile, { max_upload: limit('kbps', 200) }, 'max_upload.value', 'Must be a multiple of 128.'],
      [profile, { session_duration: limit('hour', 1.5) }, 'session_duration.value', 'Enter a whole number.'],
      [profile, { session_duration: limit('hour', 1e20) }, 'session_duration.value', 'Must be between 1 and 24.'],
      [profile, { paid_sale: limit('eur', '9000000000') }, 'paid_sale.value', 'Must be between 0 and 6000.'],
      [profile, { shared_user: 1e20 }, 'shared_user', 'Must be at most 1000.'],
      [profile, { shared_user: 1.5 }, 'shared_user', 'Enter a whole number.'],
      [profile, { shared_user: '1,5' }, 'shared_user', 'Enter a whole number.'],
      ['panel/client/bulk', { provider_type: 'username', total_user: 0 }, 'total_user', 'Must be at least 1.'],
    ] as const) {
      const refused = await post(path, { name: 'Sınır', location_id: place, ...body });
      expect(refused.body.errors, JSON.stringify(body)).toEqual({ [field]: [message] });
    }
    expect((await put(`panel/location/${place}`, { time_limit: -1e20 })).body.errors).toEqual({
      time_limit: ['Must be at least 1.'],
    });
    const texts = await post('panel/integration/test', { type: 'postgresql', db_host: '', db_port: 1e20 });
    expect(Object.values<string[]>(texts.body.errors).every(messages => messages.length === 1)).toBe(true);
  });

  test('are accepted as strings', async () => {
    expect((await put(`panel/location/${place}`, { download_limit: ' 25 ' })).body.data.download_limit).toBe(25);
    expect((await put(`panel/location/${place}`, { download_limit: 'x' })).body.errors).toEqual({
      download_limit: ['Enter a number.'],
    });
    expect((await put(`panel/location/${place}`, { time_limit: 'x' })).body.errors).toEqual({
      time_limit: ['Enter a whole number.'],
    });
  });

  test('of a speed have up to two decimals', async () => {
    expect((await put(`panel/location/${place}`, { download_limit: 2.55 })).body.data.download_limit).toBe(2.55);
    for (const sent of [2.555, 0.001, -0.5, 1e300, 'NaN', 'Infinity', '2,5']) {
      const refused = await put(`panel/location/${place}`, { download_limit: sent });
      expect(refused.status, String(sent)).toBe(422);
      expect(Object.keys(refused.body.errors)).toEqual(['download_limit']);
    }
    expect((await put(`panel/location/${place}`, { time_limit: 2.5 })).status).toBe(422);
  });

  test('of a speed are 0 only while the limit is off, because routers take 0 for no limit', async () => {
    const at = `panel/location/${place}`;
    expect((await put(at, { upload_limit: 0, upload_limit_enabled: false })).status).toBe(200);
    for (const body of [{ upload_limit_enabled: true }, { download_limit: 0, download_limit_enabled: true }]) {
      const refused = await put(at, body);
      const field = 'download_limit' in body ? 'download_limit' : 'upload_limit';
      expect([refused.status, refused.body.errors]).toEqual([422, { [field]: ['Must be between 0.01 and 100000.'] }]);
    }
    const made = await post('panel/location', { name: 'Yeni', upload_limit: 0, upload_limit_enabled: true });
    expect([made.status, Object.keys(made.body.errors)]).toEqual([422, ['upload_limit']]);
    expect((await put(at, { upload_limit_enabled: true, upload_limit: 0.01 })).status).toBe(200);
    await put(at, { upload_limit_enabled: false, upload_limit: 10 });
  });
});

describe('limits', () => {
  const fields = ['session_duration', 'max_upload', 'paid_sale', 'daily_quota'];
  const make = (body: object) =>
    api.post('panel/location/user-profile', {
      token: admin,
      body: { name: 'Misafir', location_id: place, ...body },
      language: 'tr',
    });

  test.for(fields)('%s is no list and no text', async field => {
    for (const wrong of [[], ['day'], 'day']) {
      const { status, body } = await make({ [field]: wrong });
      expect([status, body.errors], String(wrong)).toEqual([422, { [field]: ['Bu değer geçerli değil.'] }]);
    }
  });

  test.for(fields)('%s has a unit that is a text or an option with a value', async field => {
    for (const option of [[], [null], {}, { label: '₺' }, { value: 'parsec' }, 7]) {
      const { status, body } = await make({ [field]: { is_active: true, option, value: 1 } });
      expect([status, Object.keys(body.errors ?? {})], JSON.stringify(option)).toEqual([422, [`${field}.option`]]);
    }
  });
});

describe('empty choices', () => {
  test('of a new customer keep the defaults', async () => {
    const made = await post('panel/location', {
      name: 'Otel',
      portal_id: '',
      default_profile_id: '',
      available_providers: ['temp', 'temp'],
      sms_limit: null,
    });
    expect(made.status, made.text).toBe(201);
    expect(made.body.data).toMatchObject({
      portal_id: null,
      default_profile_id: null,
      available_providers: ['temp'],
      sms_limit: 1000,
    });
  });

  test('of a registration, with and without an invitation', async () => {
    const person = {
      first_name: 'Işıl',
      last_name: 'Su',
      phone_number: '+90 532 000 00 00',
      password: 'a quiet harbour 7',
    };
    const register = (more: Body) => api.post('user/register', { body: { ...person, ...more } });
    const alone = await register({ email: 'isil@example.com', invite_token: '', location_name: 'Kafe Su' });
    expect(alone.status, alone.text).toBe(201);
    const nowhere = await register({ email: 'other@example.com', invite_token: null, location_name: '' });
    expect(nowhere.body.errors).toEqual({ location_name: ['This field is required.'] });
    const lost = await register({ email: 'other@example.com', invite_token: 'no such', location_name: '' });
    expect(lost.status).toBe(404);
  });

  test('of a visitor without a special profile, and of a product without a price', async () => {
    const visitor = {
      location_id: place,
      name: 'Işıl Su',
      provider_type: 'username',
      username: 'isil',
      password: 'parola 1',
    };
    const off = {
      special_profile: false,
      shared_user: null,
      max_upload: null,
      session_duration: { is_active: false, value: '' },
    };
    const made = await post('panel/client', { ...visitor, ...off, profile_id: '', total_paid_day: '' });
    expect(made.status, made.text).toBe(201);
    expect(made.body.data).toMatchObject({ shared_user: 1, total_paid_day: 0 });
    const path = `panel/client/${made.body.data.id}`;
    await put(path, { shared_user: 3 });
    const kept = await put(path, { name: 'Işıl', shared_user: null, total_paid_day: '' });
    expect(kept.body.data).toMatchObject({ name: 'Işıl', shared_user: 3, total_paid_day: 0 });
    const wrong = await post('panel/client', { ...visitor, username: 'isil2', shared_user: true, total_paid_day: [1] });
    expect(Object.keys(wrong.body.errors)).toEqual(['shared_user', 'total_paid_day']);

    const dish = await post('panel/qrmenu/product', {
      location_id: place,
      title: 'Çay',
      price: '',
      product_time: '',
      calorie: null,
    });
    expect(dish.status, dish.text).toBe(201);
    expect(dish.body.data.price).toBeNull();
  });

  test('of a brand', async () => {
    const brand = { brand_name: 'Ağ', brand_long_name: 'Ağ A.Ş.' };
    const saved = await post('panel/tenant', {
      ...brand,
      landing_background: '',
      landing_title: { tr: 'Ağ', en: null },
    });
    expect(saved.status, saved.text).toBe(200);
    expect(saved.body.data).toMatchObject({ landing_background: null, landing_title: { tr: 'Ağ' } });
    const wrong = await post('panel/tenant', { ...brand, landing_background: 'url(x)', password_min: null });
    expect(Object.keys(wrong.body.errors)).toEqual(['landing_background', 'password_min']);
  });

  test('of a session profile: disabled limits', async () => {
    const off = { is_active: false, option: null, value: null };
    const made = await post('panel/location/user-profile', {
      location_id: place,
      name: 'Standart User Profile',
      shared_user: 3,
      session_duration: off,
      max_upload: { ...off, value: '' },
      max_download: null,
      paid_sale: null,
    });
    expect(made.status, made.text).toBe(201);
    const standard = { is_active: false, value: 1 };
    expect(made.body.data).toMatchObject({
      session_duration: { ...standard, option: 'day' },
      max_upload: { ...standard, option: 'mbps' },
      max_download: { ...standard, option: 'mbps' },
      paid_sale: { ...standard, option: 'eur' },
    });
    const on = await post('panel/location/user-profile', {
      location_id: place,
      name: 'On',
      shared_user: 1,
      max_upload: { is_active: true, option: 'mbps', value: null },
    });
    expect(on.status).toBe(422);
    expect(Object.keys(on.body.errors)).toEqual(['max_upload.value']);
  });

  test('of a portal, its methods, texts, rules and advertisements', async () => {
    const { id } = (await post('panel/portal', { name: 'Lobi', location_id: place })).body.data;
    const ways = await put(`panel/portal/${id}`, {
      providers: [
        { slug: 'temp', order: 1, options: { profile_id: '', security_code: 1234, require_security_code: true } },
      ],
      messages: { welcome_message_title: { tr: 'Merhaba', de: null } },
      agreements: { kvkk: { tr: '<p>KVKK</p>', en: null } },
    });
    expect(ways.status, ways.text).toBe(200);
    expect(ways.body.data.providers.find((it: Body) => it.slug === 'temp').options).toMatchObject({
      profile_id: null,
      security_code: '1234',
    });
    expect(ways.body.data.messages.welcome_message_title).toMatchObject({ tr: 'Merhaba', de: '' });
    const bare = await put(`panel/portal/${id}`, { agreements: { kvkk: { de: '<p><script>x()</script></p>' } } });
    expect(bare.body.errors).toEqual({ 'agreements.kvkk.de': ['Content cannot be empty in this language.'] });
    const odd = await put(`panel/portal/${id}`, {
      providers: [{ slug: 'sms', order: 1, options: { security_code: {}, require_security_code: true } }],
    });
    expect(odd.body.errors).toEqual({ 'providers.0.options.security_code': ['This value is not valid.'] });
    const unordered = await put(`panel/portal/${id}`, { providers: [{ slug: 'sms', order: null }] });
    expect(unordered.body.errors).toEqual({ 'providers.0.order': ['This field is required.'] });

    const rule = { state: 'login_successful', action: 'redirect_to_url', url: 'https://example.com' };
    const led = await post(`panel/portal/${id}/rules`, { ...rule, survey_id: '', language: '' });
    expect(led.status, led.text).toBe(201);
    expect(led.body.data).toMatchObject({ survey_id: null, language: null });

    const embed = { name: 'Afiş', type: 'embed', embed_code: '<iframe src="https://example.com"></iframe>' };
    expect((await post(`panel/portal/${id}/ads`, { ...embed, images: null })).body.data.images).toEqual([]);
    const empty = await post(`panel/portal/${id}/ads`, { name: 'Afiş', type: 'image', images: null });
    expect(empty.body.errors).toEqual({ images: ['This field is required.'] });

    const question = { label: { tr: 'Nasıldı?', en: null }, answers: [{ label: { tr: 'İyi', ar: null } }] };
    const survey = await post(`panel/portal/${id}/surveys`, { name: 'Anket', questions: [question] });
    expect(survey.status, survey.text).toBe(201);
  });
});

describe('a search', () => {
  test.each(['ışık', 'IŞIK', 'işik', 'Işik', 'kafe ı'])('%s finds Kafe Işık', async typed => {
    const found = async (path: string, field: string) =>
      (await api.get(`${path}?${field}=${encodeURIComponent(typed)}`, { token: admin })).body.data.map(
        (it: Body) => it.name,
      );
    expect(await found('panel/location', 'name')).toEqual(['Kafe Işık']);
    await post('panel/portal', { name: `Kafe Işık ${typed}`, location_id: place });
    expect(await found('panel/portal', 'search')).toContain(`Kafe Işık ${typed}`);
  });

  test.each(['.*', '[', '(', '\\', '***:x', '%', '_', '^K', 'k$'])('%s is searched for literally', async typed => {
    const answer = await api.get(`panel/location?name=${encodeURIComponent(typed)}`, { token: admin });
    expect(answer.status, answer.text).toBe(200);
    expect(answer.body.data).toEqual([]);
  });
});

describe('null in a PUT', () => {
  test('empties what may be empty', async () => {
    const { id: portal } = (await post('panel/portal', { name: 'Boş', location_id: place })).body.data;
    const brands = (await api.get('panel/device/brands', { token: admin })).body.data;
    const brand_id = brands.find((it: Body) => it.slug === 'mikrotik').id;
    const router = { brand_id, name: 'Lobi', mac_address: 'A1:B2:C3:D4:E5:70', location_id: place };
    const { id: device } = (await post('panel/device', router)).body.data;
    const { id: made } = (
      await post('panel/voucher-batch', { name: 'Yaz', location_id: place, valid_until: '2099-01-01', count: 1 })
    ).body.data;
    const account = { first_name: 'Ece', last_name: 'Kar', email: 'ece@null.test', password: 'Zk39fm!qwe' };
    const { id: user } = (await post('panel/tenant/users', { ...account, role: 'auditor' })).body.data;
    const connection = { host: '10.0.0.1', port: 8728, username: 'portico', password: 'gizli-parola' };
    const period = { portal_id: portal, starts_on: '2099-01-01', ends_on: '2099-01-02' };
    const link = { kind: 'website', url: 'https://example.com' };
    for (const [path, filled, cleared, left] of [
      [`device/${device}`, { connection }, { connection: { password: null } }, { connection: { has_password: false } }],
      [`device/${device}`, { portal_periods: [period] }, { portal_periods: null }, { portal_periods: [] }],
      [`location/${place}`, { portal_periods: [period] }, { portal_periods: null }, { portal_periods: [] }],
      [`location/${place}/voucher-card`, { ssid: 'Kafe', text: 'Afiyet olsun' }, { ssid: null }, { ssid: '' }],
      [`location/${place}/voucher-card`, { ssid: 'Kafe' }, { text: null }, { ssid: 'Kafe', text: '' }],
      [`voucher-batch/${made}`, { note: 'Plaj' }, { note: null }, { note: '' }],
      [`tenant/users/${user}`, { phone_number: '+905301112233' }, { phone_number: null }, { phone_number: '' }],
      [`portal/${portal}`, { page: { links: [link] } }, { page: { links: null } }, { page: { links: [] } }],
    ] as const) {
      const before = await put(`panel/${path}`, filled);
      expect([before.status, before.body.data], before.text).not.toMatchObject([200, left]);
      expect(before.status, before.text).toBe(200);
      const after = await put(`panel/${path}`, cleared);
      expect([after.status, after.body.data], after.text).toMatchObject([200, left]);
    }
  });
});
