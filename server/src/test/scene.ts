import type { Endpoint } from '@portico/contract/endpoint.ts';
import sql from 'sql-template-tag';
import { newId } from '#lib/ids.ts';
import type { TestApi } from './harness.ts';
import { type RowHash, rowHash, tablesOf } from './row-hash.ts';

/** A victim location with one resource of each kind, and users who must not reach it. */
export interface Scene {
  /** Ids of the victim's resources, by the path up to and including the parameter. */
  readonly things: Record<string, string>;
  /** Valid bodies by method and path, so that a refusal is not caused by validation. */
  readonly bodies: Record<string, unknown>;
  /** Strings that only the victim may read. */
  readonly secrets: readonly string[];
  /** Secrets of the victim's device, its guests and its sales: not for members who are limited to other devices. */
  readonly secretsOfDevice: readonly string[];
  /** One hash over every row that belongs to the victim's location. */
  readonly ofVictim: RowHash;
  readonly foreigner: string;
  readonly neighbour: string;
  readonly powerless: string;
  readonly manager: string;
  readonly limited: string;
}

const word = 'Yalnızca-kurban';

/** The path of an endpoint with the ids of the victim's resources. */
export function pathOf(scene: Pick<Scene, 'things'>, endpoint: Pick<Endpoint, 'method' | 'path'>): string {
  return endpoint.path.replace(/:\w+/g, (_place, offset: number) => {
    const upTo = endpoint.path.slice(
      0,
      endpoint.path.indexOf('/', offset) < 0 ? undefined : endpoint.path.indexOf('/', offset),
    );
    const thing = scene.things[`${endpoint.method} ${upTo}`] ?? scene.things[upTo];
    if (!thing) throw new Error(`Add the victim's resource for ${upTo} to scene.ts`);
    return thing;
  });
}

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
  const role = (await made(`panel/location/${location}/role`, { name: `${word} rolü`, permissions: ['view-clients'] }))
    .id;
  const tenantRole = (await made('panel/tenant/roles', { name: 'Gece nöbeti', permissions: ['view-clients'] })).id;
  const profile = (await made('panel/location/user-profile', { location_id: location, name: `${word} profili` })).id;
  const brands = (await api.get('panel/device/brands', { token: admin })).body.data;
  const brand_id = brands.find((b: { slug: string }) => b.slug === 'mikrotik').id;
  const device = (
    await made('panel/device', {
      location_id: location,
      brand_id,
      name: `${word} cihazı`,
      mac_address: 'A1:B2:C3:D4:E5:01',
    })
  ).id;
  const network = (
    await made(`panel/device/${device}/network`, { name: `${word} ağı`, start_ip: '10.9.0.0', subnet: '24' })
  ).id;
  const macRule = (
    await made(`panel/device/${device}/macs`, {
      mac: 'A1:B2:C3:D4:E5:02',
      type: 'blocked',
      comment: word,
      networks: [network],
    })
  ).id;
  await api.post(`panel/user/team/change/${location}`, { token: admin });
  const portal = (await made('panel/portal', { name: `${word} portalı` })).id;
  await api.post('panel/user/team/change/all', { token: admin });
  const ad = { name: `${word} reklamı`, type: 'embed', embed_code: '<iframe src="https://example.com/"></iframe>' };
  const rule = { state: 'login_successful', action: 'redirect_to_url', url: 'https://example.com/' };
  const question = { label: { tr: word }, answer_type: 'text', type: 'single', answers: [{ label: { tr: 'Evet' } }] };
  const survey = { name: `${word} anketi`, questions: [question] };
  const items = {
    ads: (await made(`panel/portal/${portal}/ads`, ad)).id,
    rules: (await made(`panel/portal/${portal}/rules`, rule)).id,
    surveys: (await made(`panel/portal/${portal}/surveys`, survey)).id,
  };
  const version = (await api.get(`panel/portal/${portal}/history`, { token: admin })).body.data[0].id;
  await api.put(`panel/portal/${portal}/draft`, { token: admin, body: { color_scheme: 'dark' } });
  const visitorForm = {
    location_id: location,
    name: `${word} misafiri`,
    provider_type: 'username',
    username: 'kurban',
    password: 'gizli-parola',
  };
  const visitor = (await made('panel/client', visitorForm)).id;
  const sale = newId();
  const imported = newId();
  await api.inTenant(tx =>
    tx.run(sql`insert into visitor_imports (id, location_id, source, file_name, groups, findings, total)
      values (${imported}, ${location}, 'csv', ${word}, '[]', '{"unknown": [], "passwords": [], "own_limits": 0, "accounting": 0}', 0)`),
  );
  await api.inTenant(tx =>
    tx.run(sql`insert into imported_sessions (location_id, import_id, source_key, user_name, visitor_id, client_mac, client_ip, nas, started_at, ended_at,
        seconds, upload, download, terminate_cause)
      values (${location}, ${imported}, 'x', ${`${word} geçmişi`}, ${visitor}, '02:00:00:00:00:77', '203.0.113.77', '203.0.113.78', now(), now(),
        1, 1, 1, ${word})`),
  );
  const consent = newId();
  await api.inTenant(async tx => {
    await tx.run(sql`insert into consent_texts (version, text) values ('v1', ${`${word} izni`})`);
    await tx.run(sql`
      insert into marketing_consents (id, location_id, visitor_id, channel, recipient, recipient_hash, version, language, source)
      values (${consent}, ${location}, ${visitor}, 'email', 'kurban@example.com', '', 'v1', 'tr', 'sign-in')`);
  });
  await api.inTenant(tx =>
    tx.run(sql`insert into sales (id, location_id, visitor_id, days, unit_price, currency, total, sold_on)
      values (${sale}, ${location}, ${visitor}, 2, 5, 'eur', 10, current_date)`),
  );
  const paid = (
    await made('panel/location/user-profile', {
      location_id: location,
      name: `${word} ücretlisi`,
      paid_sale: { is_active: true, option: 'eur', value: 5 },
    })
  ).id;
  const packageForm = { location_id: location, profile_id: paid, name: { tr: word }, price: 500, currency: 'eur' };
  const offer = (await made('panel/package', packageForm)).id;
  const purchase = await buy(api, { location, device, admin });
  const licencePayment = await payLicence(api, { location, admin });
  const voucherForm = {
    location_id: location,
    name: `${word} kuponları`,
    count: 2,
    at_desk: true,
    valid_for: { is_active: true, option: 'day', value: 1 },
  };
  const batch = (await made('panel/voucher-batch', voucherForm)).id;
  const printerForm = { name: `${word} yazıcısı`, host: '203.0.113.50' };
  const printer = (await made(`panel/location/${location}/printers`, printerForm)).id;
  const viewForm = { list: 'visitors', name: `${word} görünümü`, shared: 'location', location_id: location };
  const saved = await api.put('panel/saved-view', { token: admin, body: viewForm });
  const view: string = saved.body.data.id;
  const menu = {
    category: (await made('panel/qrmenu/category', { location_id: location, title: `${word} kategorisi` })).id,
    desk: (await made('panel/qrmenu/desk', { location_id: location, title: `${word} masası` })).id,
    product: (await made('panel/qrmenu/product', { location_id: location, title: `${word} ürünü` })).id,
  };
  const logSource = (await made(`panel/device/${device}/log-sources`, { address: '203.0.113.66' })).id;
  await recordVisit(api, device);
  const command = (await api.get(`panel/device/${device}/commands`, { token: admin })).body.data[0].id;
  const certificate = await certify(api, device);
  const proxy = (await made('panel/radius-proxy', { name: word, address: '203.0.113.77' })).id;
  const { integration, delivery, roomCharge } = await connect(api, location);
  const invited = await api.user('member', { location: other });
  const invitation = (await made(`panel/location/${location}/user`, { email: invited.email })).id;
  const ownInvitation = (await api.get('panel/user/invites', { token: invited.token })).body.data[0].id;
  const reportMailForm = {
    name: word,
    frequency: 'weekly',
    reports: ['sessions'],
    recipients: ['a@example.com'],
    language: 'tr',
  };
  const reportMail = (await made('panel/reports/mail', { location_id: location, ...reportMailForm })).id;
  const routerForm = {
    gateway_interface: 'ether1',
    gateway_ip: '192.168.88.1',
    hotspot_address: '10.5.50.1',
    hotspot_subnet: '24',
    guestInterfaces: ['ether2'],
  };
  const auditor = await api.user('auditor');
  await api.post('panel/tenant/domains', { token: admin, body: { host: 'wifi.kurban.example' } });
  const notification = await notify(api, manager.id, location);
  const ssoLink = newId();
  await api.inTenant(tx =>
    tx.run(
      sql`insert into sso_links (id, user_id, issuer, subject) values (${ssoLink}, ${manager.id}, 'https://id.example', ${word})`,
    ),
  );
  const session = (await api.get('panel/onlines', { token: admin })).body.data[0].rhid;
  const token = (await api.get('oauth/tokens', { token: manager.token })).body.data[0].id;

  // Belongs to the manager. None of the other users may see or change it.
  const passkey = newId();
  await api.inTenant(tx =>
    tx.run(sql`insert into passkeys (id, user_id, host, credential_id, public_key, user_handle, counter, transports, name)
      values (${passkey}, ${manager.id}, 'localhost', ${Buffer.from(passkey)}, '', '', 0, '{}', ${word})`),
  );
  const pushBrowser = newId();
  await api.inTenant(tx =>
    tx.run(sql`insert into push_browsers (id, user_id, fingerprint, subscription, server_key, service, name)
      values (${pushBrowser}, ${manager.id}, ${Buffer.from(pushBrowser)}, '', '', 'push.example.com', ${word})`),
  );
  const form = { name: 'ERP', permissions: ['view-clients'] };
  const personal = (await api.post('panel/user/token', { token: manager.token, body: form })).body.data.id;

  return {
    things: {
      '/v1/panel/location/:id': location,
      '/v1/panel/location/user-profile/:id': profile,
      '/v1/panel/location/user-profile/by-external-id/:externalId': 'kurban-profil',
      '/v1/panel/location/by-external-id/:externalId': 'kurban-yer',
      '/v1/panel/device/by-external-id/:externalId': 'kurban-cihaz',
      '/v1/panel/portal/by-external-id/:externalId': 'kurban-portal',
      '/v1/panel/user/team/change/:id': location,
      '/v1/oauth/tokens/:id': token,
      '/v1/panel/user/passkey/:id': passkey,
      '/v1/panel/user/push/:id': pushBrowser,
      '/v1/panel/user/token/:id': personal,
      '/v1/panel/device/brands/:id': brand_id,
      '/v1/panel/device/mikrotik/script/:id': device,
      '/v1/panel/device/mikrotik/login/:id': device,
      '/v1/panel/device/sophos/template/:id': device,
      '/v1/panel/device/:id': device,
      '/v1/panel/device/:id/network/:networkId': network,
      '/v1/panel/device/:id/macs/:macId': macRule,
      '/v1/panel/device/:id/commands/:commandId': command,
      '/v1/panel/device/:id/certificates/:certificateId': certificate,
      '/v1/panel/device/:id/log-sources/:sourceId': logSource,
      '/v1/panel/radius-proxy/:id': proxy,
      '/v1/panel/portal/:id': portal,
      '/v1/panel/portal/:id/history/:versionId': version,
      '/v1/panel/portal/:id/ads/:itemId': items.ads,
      '/v1/panel/portal/:id/rules/:itemId': items.rules,
      '/v1/panel/portal/:id/surveys/:itemId': items.surveys,
      '/v1/panel/client/:id': visitor,
      '/v1/panel/client-import/:id': imported,
      '/v1/panel/consent/:id': consent,
      '/v1/panel/reports/sales/:id': sale,
      '/v1/panel/voucher-batch/:id': batch,
      '/v1/panel/printer/:id': printer,
      '/v1/panel/saved-view/:id': view,
      '/v1/panel/package/:id': offer,
      '/v1/panel/purchase/:id': purchase,
      '/v1/panel/license-payment/:id': licencePayment,
      '/v1/panel/location/:id/license-payment/:paymentId': licencePayment,
      '/v1/panel/qrmenu/category/:id': menu.category,
      '/v1/panel/qrmenu/desk/:id': menu.desk,
      '/v1/panel/qrmenu/product/:id': menu.product,
      '/v1/panel/kick/:id': session,
      '/v1/panel/integration/:id': integration,
      '/v1/panel/integration/:id/deliveries/:deliveryId': delivery,
      '/v1/panel/integration/:id/room-charges/:chargeId': roomCharge,
      '/v1/panel/location/:id/user/:userId': manager.id,
      '/v1/panel/user/team/device/:id': manager.id,
      '/v1/team/members/invite/resend/:id': invitation,
      'POST /v1/team/members/invite/:id': location,
      'DELETE /v1/team/members/invite/:id': invitation,
      '/v1/panel/user/invite/accept/:id': ownInvitation,
      '/v1/panel/user/invite/deny/:id': ownInvitation,
      '/v1/panel/reports/mail/:id': reportMail,
      '/v1/panel/tenant/users/:id': auditor.id,
      '/v1/panel/location/:id/role/:roleId': role,
      '/v1/panel/tenant/roles/:id': tenantRole,
      '/v1/panel/tenant/sso/links/:id': ssoLink,
      '/v1/panel/tenant/domains/:host': 'wifi.kurban.example',
      '/v1/panel/notification/:id': notification,
    },
    bodies: {
      'POST /v1/panel/device/:id/login-hosts': { host: '10.66.6.6' },
      'POST /v1/panel/device/:id/log-sources': { address: '198.51.100.66' },
      'PUT /v1/panel/radius-proxy/:id': { name: 'Ele geçirildi' },
      'POST /v1/panel/radius-proxy': { name: 'Hırsız' },
      'POST /v1/panel/reports/mail': { ...reportMailForm, location_id: location },
      'PUT /v1/panel/reports/mail/:id': { ...reportMailForm, name: 'Ele geçirildi', frequency: 'monthly' },
      'POST /v1/panel/reports/who-was-it': { address: '10.9.0.5', at: new Date().toISOString(), reason: 'Merak' },
      'POST /v1/panel/reports/who-was-it/pdf': { address: '10.9.0.5', at: new Date().toISOString(), reason: 'Merak' },
      'PUT /v1/panel/location/:id': { name: 'Ele geçirildi' },
      'POST /v1/panel/location/:id/license': { year: 1 },
      'POST /v1/panel/location/:id/hand-over': { email: null },
      'POST /v1/panel/location/licenses': { ids: [location], year: 1 },
      'PUT /v1/panel/location/user-profile/:id': { name: 'Ele geçirildi' },
      'PUT /v1/panel/location/user-profile/by-external-id/:externalId': { name: 'Hırsız', location_id: location },
      'PUT /v1/panel/device/by-external-id/:externalId': { name: 'Hırsız', location_id: location },
      'PUT /v1/panel/portal/by-external-id/:externalId': { name: 'Hırsız', location_id: location },
      // Without a name nothing is created.
      'PUT /v1/panel/location/by-external-id/:externalId': { city: 'Ele geçirildi' },
      'POST /v1/panel/location/:id/user': { email: 'hirsiz@example.com' },
      'POST /v1/panel/location/:id/role': { name: 'Hırsız', permissions: ['view-clients'] },
      'PUT /v1/panel/location/:id/role/:roleId': { permissions: ['view-clients', 'view-devices'] },
      'POST /v1/panel/tenant/roles': { name: 'Hırsız', permissions: ['view-clients'] },
      'PUT /v1/panel/tenant/roles/:id': { name: 'Ele geçirildi' },
      'PUT /v1/panel/location/:id/user/:userId': { permissions: {} },
      'PUT /v1/panel/user/team/device/:id': { permissions: {} },
      'POST /v1/team/members/invite/:id': { email: 'hirsiz@example.com' },
      'PUT /v1/panel/tenant/sso': {
        enabled: true,
        label: 'Hırsız',
        issuer: 'https://hirsiz.example',
        client_id: 'x',
        client_secret: 'x',
        domains: ['wifi.kurban.example'],
      },
      'POST /v1/panel/tenant/domains': { host: 'wifi.hirsiz.example' },
      'POST /v1/panel/tenant': { brand_name: 'Ele geçirildi', brand_long_name: 'Ele geçirildi' },
      'POST /v1/panel/tenant/users': {
        first_name: 'A',
        last_name: 'B',
        email: 'hirsiz@example.com',
        password: 'gizli1',
        role: 'auditor',
      },
      'PUT /v1/panel/tenant/users/:id': { role: 'reseller' },
      'POST /v1/panel/device/mikrotik/script/:id': routerForm,
      'POST /v1/panel/device/mikrotik/script/:id/link': routerForm,
      'PUT /v1/panel/integration/:id': { name: 'Ele geçirildi' },
      'POST /v1/panel/integration/:id/deliveries/resend': { since: '2026-01-01T00:00:00Z' },
      'POST /v1/panel/integration/:id/room-charges/:chargeId/settle': { outcome: 'cancelled' },
      'POST /v1/panel/integration/:id/test': {
        type: 'webhook',
        url: 'http://example.invalid/',
        events: ['guest.online'],
      },
      'PUT /v1/panel/device/:id': { name: 'Ele geçirildi' },
      'POST /v1/panel/device/:id/license': { year: 1 },
      'POST /v1/panel/device/:id/certificates': { name: 'Hırsız' },
      'POST /v1/panel/device/:id/network': { name: 'Ağ', start_ip: '10.8.0.0', subnet: '24' },
      'PUT /v1/panel/device/:id/network/:networkId': { name: 'Ağ', start_ip: '10.8.0.0', subnet: '24' },
      'POST /v1/panel/device/:id/macs': { mac: 'A1:B2:C3:D4:E5:03', type: 'bypassed', networks: [network] },
      'POST /v1/panel/device/:id/connection/test': { host: 'router.example', port: 443, username: 'x' },
      'POST /v1/panel/device': { location_id: location, brand_id, name: 'Cihaz', mac_address: 'A1:B2:C3:D4:E5:04' },
      'PUT /v1/panel/portal/:id': { name: 'Ele geçirildi' },
      'POST /v1/panel/portal/:id/duplicate': { name: 'Ele geçirildi' },
      'PUT /v1/panel/portal/:id/draft': { color_scheme: 'light' },
      'POST /v1/panel/portal/:id/ads': ad,
      'PUT /v1/panel/portal/:id/ads/:itemId': ad,
      'POST /v1/panel/portal/:id/rules': rule,
      'PUT /v1/panel/portal/:id/rules/:itemId': rule,
      'POST /v1/panel/portal/:id/surveys': survey,
      'PUT /v1/panel/portal/:id/surveys/:itemId': survey,
      'POST /v1/panel/client': { ...visitorForm, username: 'hirsiz' },
      'PUT /v1/panel/client-import/:id': { existing: 'update', groups: [] },
      'POST /v1/panel/package': packageForm,
      'PUT /v1/panel/package/:id': { price: 1 },
      'POST /v1/panel/purchase/:id/refund': { reason: 'Hırsız' },
      'POST /v1/panel/license-payment/:id/refund': { reason: 'Hırsız' },
      'POST /v1/panel/location/:id/license-payment': { year: 1 },
      'PUT /v1/panel/license-terms': { is_active: true, price: 1, currency: 'eur', tax_rate: 0 },
      'POST /v1/panel/voucher-batch': voucherForm,
      'PUT /v1/panel/voucher-batch/:id': { name: 'Ele geçirildi' },
      'POST /v1/panel/voucher-batch/:id/issue': { count: 1 },
      'POST /v1/panel/voucher-batch/:id/extend': { days: 1 },
      'POST /v1/panel/voucher-batch/:id/revoke': { all: true },
      'PUT /v1/panel/location/:id/voucher-card': { ssid: 'Ele geçirildi' },
      'POST /v1/panel/location/:id/printers': printerForm,
      'PUT /v1/panel/saved-view': { list: 'visitors', name: 'Ele geçirildi', shared: 'tenant' },
      'PUT /v1/panel/printer/:id': { name: 'Ele geçirildi' },
      'POST /v1/panel/printer/:id/vouchers': { batch_id: batch, voucher_ids: [batch] },
      'POST /v1/panel/reports/sales/:id/reverse': { reason: 'Yanlış' },
      'POST /v1/panel/client/bulk': { location_id: location, total_user: 2, name: 'Kart', provider_type: 'username' },
      'POST /v1/panel/device/selected/hotspot': { ids: [device], hotspot_status: false },
      'POST /v1/panel/device/selected/delete': { ids: [device] },
      'POST /v1/panel/onlines/selected/end': { ids: [session] },
      'POST /v1/panel/client/selected/move': { ids: [visitor], location_id: location },
      'POST /v1/panel/client/selected/extend': { ids: [visitor], until: '2099-01-01T00:00:00Z' },
      ...Object.fromEntries(
        ['pause', 'resume', 'end-sessions', 'delete', 'cards'].map(verb => [
          `POST /v1/panel/client/selected/${verb}`,
          { ids: [visitor] },
        ]),
      ),
      'PUT /v1/panel/client/:id': { ...visitorForm, name: 'Ele geçirildi' },
      ...Object.fromEntries(
        Object.keys(menu).map(kind => [`PUT /v1/panel/qrmenu/${kind}/:id`, { title: 'Ele geçirildi' }]),
      ),
      'PUT /v1/panel/qrmenu/category/order': { location_id: location, ids: [menu.category] },
      'PUT /v1/panel/qrmenu/product/order': { location_id: location, ids: [menu.product] },
      'POST /v1/panel/location/user-profile': { name: 'Ele geçirildi', location_id: location },
    },
    secrets: [
      word,
      location,
      profile,
      device,
      network,
      macRule,
      portal,
      visitor,
      session,
      batch,
      purchase,
      licencePayment,
      'gizli-parola',
    ],
    secretsOfDevice: [
      device,
      `${word} cihazı`,
      network,
      macRule,
      logSource,
      command,
      certificate,
      session,
      purchase,
      'A1:B2:C3:D4:E5:05',
      '10.9.0.5',
      '203.0.113.66',
      '203.0.113.77',
    ],
    ofVictim: await victimHash(api, location),
    foreigner: foreigner.token,
    neighbour: (await api.user('member', { location: other })).token,
    powerless: (await api.user('member', { location, permissions: [] })).token,
    manager: manager.token,
    limited: (await api.user('member', { location, deviceIds: ['00000000-0000-4000-8000-000000000000'] })).token,
  };
}

async function victimHash(api: TestApi, location: string): Promise<RowHash> {
  const { pool } = api.app.db;
  const tables = await tablesOf(pool, { column: 'location_id' });
  return rowHash(pool, 'of victim', [
    { table: 'locations', where: `id = '${location}'` },
    ...tables.map(table => ({ table, where: `location_id = '${location}'` })),
  ]);
}

/** Reports a session of a guest at the victim's device, as the router would. */
export const recordVisit = (api: TestApi, device: string) =>
  api.app.db.withSystem(async tx => {
    const { tenant_id } = await tx.one<{ tenant_id: string }>(sql`select tenant_id from devices where id = ${device}`);
    const start = {
      tenant: tenant_id,
      device,
      status: 'start',
      session: '1',
      user_name: 'kurban',
      mac: 'A1:B2:C3:D4:E5:05',
      ip: '10.9.0.5',
      at: new Date(),
      seconds: 0,
      upload: 0,
      download: 0,
    };
    await tx.run(sql`select account(${JSON.stringify([start])}::jsonb)`);
  });

/** A paid purchase at the victim's location, through the test provider. */
async function buy(api: TestApi, it: { location: string; device: string; admin: string }): Promise<string> {
  const body = {
    name: word,
    location_id: it.location,
    integration_id: 'test-payment',
    params: { connection: { type: 'test-payment' } },
  };
  const account = (await api.post('panel/integration', { token: it.admin, body })).body.data.id;
  const id = newId();
  await api.inTenant(async tx => {
    await tx.run(sql`insert into test_payments (reference, location_id, amount, currency, title, return_url, state)
      values (${id}, ${it.location}, 500, 'eur', '', '', 'paid')`);
    await tx.run(sql`insert into purchases (id, location_id, device_id, integration_id, provider, package, days, unit_price, amount, tax,
        tax_rate, currency, email, language, code, code_hash, reference, state, paid_at)
      values (${id}, ${it.location}, ${it.device}, ${account}, 'test-payment', ${word}, 1, 500, 500, 0, 0, 'eur', 'kurban@example.com', 'tr',
        '', '', ${id}, 'paid', now())`);
  });
  return id;
}

/** A paid licence of the victim's location, through the tenant's test provider. */
async function payLicence(api: TestApi, it: { location: string; admin: string }): Promise<string> {
  const body = {
    name: word,
    location_id: null,
    integration_id: 'test-payment',
    params: { connection: { type: 'test-payment' } },
  };
  const account = (await api.post('panel/integration', { token: it.admin, body })).body.data.id;
  const id = newId();
  await api.inTenant(async tx => {
    await tx.run(
      sql`insert into licence_terms (is_active, price, currency, tax_rate) values (true, 9900, 'eur', 2000)`,
    );
    await tx.run(sql`insert into test_payments (reference, location_id, amount, currency, title, return_url, state)
      values (${id}, ${it.location}, 9900, 'eur', '', '', 'paid')`);
    await tx.run(sql`insert into licence_payments (id, location_id, integration_id, provider, years, unit_price, amount, tax, tax_rate, currency,
        email, language, location_name, host, reference, state, paid_at)
      values (${id}, ${it.location}, ${account}, 'test-payment', 1, 9900, 9900, 1650, 2000, 'eur', 'kurban@example.com', 'tr', ${word}, '', ${id}, 'paid',
        now())`);
  });
  return id;
}

/** Creates a notification of the victim's manager. */
const notify = (api: TestApi, userId: string, locationId: string): Promise<string> =>
  api.inTenant(async tx => {
    const id = newId();
    await tx.run(
      sql`insert into notifications (id, user_id, location_id, kind, data) values (${id}, ${userId}, ${locationId}, 'device_offline', '{}')`,
    );
    return id;
  });

/** Inserts a certificate of the victim's device, because RADIUS over TLS may be off. */
const certify = (api: TestApi, deviceId: string): Promise<string> =>
  api.inTenant(async tx => {
    const id = newId();
    await tx.run(sql`insert into device_certificates (id, device_id, name, serial, fingerprint, expires_at)
      values (${id}, ${deviceId}, ${word}, '01', ${Buffer.alloc(32, 7)}, now() + interval '1 day')`);
    return id;
  });

/** Creates an integration of the victim with a delivery and a room charge. */
const connect = (
  api: TestApi,
  locationId: string,
): Promise<{ integration: string; delivery: string; roomCharge: string }> =>
  api.inTenant(async tx => {
    const id = newId();
    const connection = {
      type: 'postgresql',
      db_host: 'pms.example',
      db_port: 5432,
      db_username: 'u',
      db_password: 'gizli-parola',
      db_name: 'd',
      db_table: 't',
    };
    const fields = {
      firstname: 'a',
      lastname: 'b',
      birth_date: 'c',
      session_start_at: 'd',
      session_end_at: 'e',
      room_number: 'f',
    };
    await tx.run(sql`insert into integrations (id, location_id, kind, name, connection, fields, last_tried_at)
      values (${id}, ${locationId}, 'postgresql', ${word}, ${api.app.secrets.encrypt(JSON.stringify(connection))}, ${fields}, now())`);
    const delivery = newId();
    await tx.run(sql`insert into webhook_deliveries (id, location_id, integration_id, event, body, state)
      values (${delivery}, ${locationId}, ${id}, 'guest.online', ${JSON.stringify({ word })}, 'failed')`);
    const roomCharge = newId();
    await tx.run(sql`insert into room_charges (id, location_id, integration_id, key, reservation, amount, currency, words, state)
      values (${roomCharge}, ${locationId}, ${id}, 'x', '1', 500, 'eur', ${word}, 'refused')`);
    return { integration: id, delivery, roomCharge };
  });
