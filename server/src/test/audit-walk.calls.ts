import { openRouterOs } from '@portico/simulator/router-os/router-os.ts';
import sql from 'sql-template-tag';
import { onTestFinished } from 'vitest';
import type { IdentityProvider } from '#features/auth/sso/testing/identity-provider.ts';
import { panelHost, passkeyUser } from '#features/auth/testing/passkey-user.ts';
import { softwarePasskey } from '#features/auth/testing/software-passkey.ts';
import { stepAt, totpCode } from '#features/auth/totp.ts';
import { makeBrowser } from '#features/notifications/testing/push-service.ts';
import { startPrinter } from '#features/printers/testing/escpos-printer.ts';
import { takeMails } from '#mail/testing.ts';
import type { Ask, TestApi } from './harness.ts';
import type { Scene } from './scene.ts';
import { fileForm, picture } from './uploads.ts';
import { mp4 } from './videos.ts';

/** The resources that the calls of the walk need. */
export interface Walk {
  readonly api: TestApi;
  readonly scene: Scene;
  /** The token of a tenant administrator. */
  readonly admin: string;
  /** The location of the scene. */
  readonly location: string;
  /** A connection to a hotel's database that works. */
  readonly connection: Readonly<Record<string, unknown>>;
  readonly dnsRecords: Map<string, string>;
  readonly identities: IdentityProvider;
}

export type Arranged = Ask & { readonly things?: Record<string, string> };
export type Calls = Record<string, () => Promise<Arranged> | Arranged>;

const fields = {
  firstname: 'a',
  lastname: 'b',
  birth_date: 'c',
  session_start_at: 'd',
  session_end_at: 'e',
  room_number: 'f',
};
const names = { first_name: 'Elif', last_name: 'Şahin', phone_number: '+905301112233' };
const panelHeaders = { 'x-forwarded-host': panelHost };
const macList = () => fileForm('MAC,Type\nA1:B2:C3:D4:E5:31,blocked\n', { name: 'list.csv' });
const pictureFor = async (collection: string) => fileForm(await picture(), { collection });

/** The needs of each call beyond scene.ts, by method and path: its body, its caller or its own resources. */
export function callsOf({ api, scene, admin, location, connection, dnsRecords, identities }: Walk): Calls {
  let people = 0;
  const thing = (path: string): string => scene.things[path]!;
  const fresh = (): string => `yeni${++people}@walk.example`;

  /** The first match in the newest mail to an address. */
  async function mailed(to: string, what: RegExp): Promise<string> {
    const mail = (await takeMails(api.app)).findLast(it => it.to.includes(to))!;
    return what.exec(`${mail.subject}\n${mail.text}`)![1]!;
  }
  const invite = async (email: string): Promise<string> =>
    (await api.post(`panel/location/${location}/user`, { token: admin, body: { email } })).body.data.id;
  const invitationToken = async (email: string): Promise<string> => {
    await invite(email);
    return mailed(email, /invitation\/accept\/([\w-]+)/);
  };
  /** A visitor list: the example file of the product. */
  async function list(): Promise<FormData> {
    const example = await api.get('panel/client/import/template', { token: admin });
    return fileForm(example.text, { name: 'list.csv', location_id: location });
  }
  /** Settings of single sign-on that are accepted. */
  async function ssoForm() {
    const host = 'acme.example';
    if (!(await api.get('panel/tenant/domains', { token: admin })).text.includes(host)) {
      const { record } = (await api.post('panel/tenant/domains', { token: admin, body: { host } })).body.data;
      dnsRecords.set(record.name, record.value);
      await api.post(`panel/tenant/domains/${host}/check`, { token: admin });
    }
    const { issuer } = identities;
    const mappings = [{ group: '*', role: 'auditor' }];
    const client = { client_id: 'portico', client_secret: `secret`, domains: [host] };
    return { body: { enabled: true, label: fresh().slice(0, 40), issuer, ...client, mappings, create_accounts: true } };
  }
  /** A user with an account and an invitation to the location. */
  async function invited(): Promise<{ token: string; id: string }> {
    const person = await api.user('member', { location: await elsewhere() });
    return { token: person.token, id: await invite(person.email) };
  }
  const elsewhere = () => api.location(admin, 'Başka');
  /** The options for a passkey, with the cookie of their challenge. */
  async function asked(at: string, ask: Ask) {
    const answer = await api.post(at, { ...ask, headers: panelHeaders });
    return { data: answer.body.data, cookie: answer.headers.get('set-cookie')!.split(';')[0]! };
  }
  async function withPasskey() {
    const { token, made } = await passkeyUser(api);
    return { token, headers: panelHeaders, things: { id: made.body.data.passkey.id as string } };
  }
  async function withCodes(): Promise<{ token: string }> {
    const { token, secret } = await withSecondFactor();
    await api.post('panel/user/two-factor/confirm', { token, body: { code: totpCode(secret, stepAt(Date.now())) } });
    return { token };
  }
  async function withSecondFactor(): Promise<{ token: string; secret: string }> {
    const { token } = await api.user('tenant-admin');
    const setup = await api.post('panel/user/two-factor', { token, body: { password: 'secret1' } });
    return { token, secret: setup.body.data.secret };
  }

  const arranged: Calls = {
    'POST /v1/user/login': async () => ({ body: { email: (await api.user('auditor')).email, password: 'secret1' } }),
    'POST /v1/user/register': () => ({
      body: { ...names, location_name: 'Yeni', email: fresh(), password: 'gizli-parola' },
    }),
    'POST /v1/user/forgot-password': async () => ({ body: { email: (await api.user('auditor')).email } }),
    'POST /v1/user/reset-password': async () => {
      const { email } = await api.user('auditor');
      await api.post('user/forgot-password', { body: { email } });
      const code = await mailed(email, /(\d{6})/);
      return { body: { email, code, password: 'gizli-parola', password_confirmation: 'gizli-parola' } };
    },
    'POST /v1/team/accept/:token': async () => {
      const { email } = await api.user('member', { location: await elsewhere() });
      return { things: { token: await invitationToken(email) }, body: { password: 'secret1' } };
    },
    'POST /v1/team/deny/:token': async () => ({ things: { token: await invitationToken(fresh()) } }),
    'POST /v1/panel/user/invite/accept/:id': async () => {
      const { token, id } = await invited();
      return { token, things: { id } };
    },
    'POST /v1/panel/user/invite/deny/:id': async () => {
      const { token, id } = await invited();
      return { token, things: { id } };
    },
    'POST /v1/visitor/confirm-email': async () => {
      const { token } = await api.user('auditor');
      const email = fresh();
      await api.put('panel/user/me', { token, body: { ...names, email, current_password: 'secret1' } });
      return { token, body: { email, token: await mailed(email, /confirm-email\/([\w-]+)\?/) } };
    },
    'POST /v1/panel/user/confirm-email': async () => {
      const { id, token } = await api.user('auditor');
      await api.inTenant(tx => tx.run(sql`update users set email_confirmed_at = null where id = ${id}`));
      return { token };
    },
    'POST /v1/panel/tenant/domains/:host/check': async () => {
      const host = 'wifi.kurban.example';
      const { data } = (await api.get('panel/tenant/domains', { token: admin })).body;
      const { record } = data.find((it: { host: string }) => it.host === host);
      dnsRecords.set(record.name, record.value);
      return { things: { host } };
    },
    'POST /v1/panel/user/two-factor': async () => ({
      token: (await api.user('auditor')).token,
      body: { password: 'secret1' },
    }),
    'POST /v1/panel/user/two-factor/confirm': async () => {
      const { token, secret } = await withSecondFactor();
      return { token, body: { code: totpCode(secret, stepAt(Date.now())) } };
    },
    'POST /v1/panel/user/passkey/options': async () => ({
      token: (await api.user('auditor')).token,
      headers: panelHeaders,
      body: { password: 'secret1' },
    }),
    'POST /v1/panel/user/passkey': async () => {
      const { token } = await api.user('auditor');
      const options = await asked('panel/user/passkey/options', { token, body: { password: 'secret1' } });
      const passkey = softwarePasskey(`http://${panelHost}`).create(options.data);
      return { token, headers: { ...panelHeaders, cookie: options.cookie }, body: { passkey } };
    },
    'PUT /v1/panel/user/passkey/:id': async () => ({ ...(await withPasskey()), body: { name: 'Yeni ad' } }),
    'DELETE /v1/panel/user/passkey/:id': async () => ({ ...(await withPasskey()), body: { password: 'secret1' } }),
    'POST /v1/user/passkey/options': () => ({ headers: panelHeaders, body: {} }),
    'POST /v1/user/passkey': async () => {
      const { passkey } = await passkeyUser(api);
      const options = await asked('user/passkey/options', { body: {} });
      const answer = { passkey: passkey.answer(options.data) };
      return { headers: { ...panelHeaders, cookie: options.cookie }, body: answer };
    },
    'PUT /v1/panel/tenant/sso': () => ssoForm(),
    'DELETE /v1/panel/tenant/sso': async () => {
      await api.put('panel/tenant/sso', { token: admin, ...(await ssoForm()) });
      return {};
    },
    'POST /v1/user/sso': async () => {
      await api.put('panel/tenant/sso', { token: admin, ...(await ssoForm()) });
      return { headers: panelHeaders };
    },
    'POST /v1/user/sso/finish': async () => {
      await api.put('panel/tenant/sso', { token: admin, ...(await ssoForm()) });
      const { data, cookie } = await asked('user/sso', {});
      identities.be({ sub: 'walker', email: 'walker@acme.example', email_verified: true });
      const query = new URL(await identities.consent(data.url)).search;
      return { headers: { ...panelHeaders, cookie }, body: { query } };
    },
    'POST /v1/panel/user/recovery-codes': async () => ({ ...(await withCodes()), body: { password: 'secret1' } }),
    'DELETE /v1/panel/user/two-factor': async () => {
      const { token, secret } = await withSecondFactor();
      await api.post('panel/user/two-factor/confirm', { token, body: { code: totpCode(secret, stepAt(Date.now())) } });
      return { token, body: { password: 'secret1' } };
    },
    'POST /v1/user/logout': async () => ({ token: (await api.user('auditor')).token }),
    'PUT /v1/panel/user/me': async () => {
      const { token } = await api.user('auditor');
      return {
        token,
        body: { password: 'gizli-parola', password_confirmation: 'gizli-parola', current_password: 'secret1' },
      };
    },
    'DELETE /v1/oauth/tokens/:id': async () => ({
      token: (await api.user('auditor')).token,
      things: { id: 'current' },
    }),
    'POST /v1/panel/printer/:id/vouchers': async () => {
      const paper = await startPrinter('127.0.91.1');
      onTestFinished(() => paper.stop());
      const form = { name: 'Banko', host: paper.host };
      const printer = await api.post(`panel/location/${location}/printers`, { token: admin, body: form });
      const batch = await api.post('panel/voucher-batch', {
        token: admin,
        body: scene.bodies['POST /v1/panel/voucher-batch'],
      });
      const batch_id = batch.body.data.id;
      const issued = await api.post(`panel/voucher-batch/${batch_id}/issue`, { token: admin, body: { count: 1 } });
      return { things: { id: printer.body.data.id }, body: { batch_id, voucher_ids: [issued.body.data[0].id] } };
    },
    'POST /v1/panel/integration/test': () => ({ body: connection }),
    'POST /v1/panel/integration': () => ({
      body: { name: 'Otel', location_id: location, integration_id: 'postgresql', params: { connection, fields } },
    }),
    'POST /v1/panel/user/token': () => ({ body: { name: 'ERP', permissions: ['view-clients'] } }),
    'DELETE /v1/panel/user/token/:id': () => ({ token: scene.manager }),
    'POST /v1/panel/integration/:id/test': () => ({ body: connection }),
    'POST /v1/panel/integration/:id/secret': async () => {
      const params = { connection: { type: 'webhook', url: 'https://example.com/', events: ['guest.online'] } };
      const body = { name: 'CRM', location_id: location, integration_id: 'webhook', params };
      return { things: { id: (await api.post('panel/integration', { token: admin, body })).body.data.id } };
    },
    'PUT /v1/panel/user/push': () => ({ body: makeBrowser('https://203.0.113.9/walk').subscription }),
    'DELETE /v1/panel/user/push/:id': () => ({ token: scene.manager }),
    'PUT /v1/panel/user/notification': () => ({ body: { digest_hour: 9 } }),
    'PUT /v1/panel/integration/:id': () => ({ body: { name: 'Otel', params: { connection, fields } } }),
    'POST /v1/panel/location/:id/license-request': () => ({ body: { year: 1, years: 1 } }),
    'POST /v1/panel/location': () => ({ body: { name: 'Yeni' } }),
    'POST /v1/panel/location/:id/role/:roleId/reset': async () => {
      const at = `panel/location/${location}/role`;
      const { id } = (await api.get(at, { token: admin })).body.data[0];
      await api.put(`${at}/${id}`, { token: admin, body: { permissions: [] } });
      return { things: { id: location, roleId: id } };
    },
    'POST /v1/panel/tenant/roles/:id/reset': async () => {
      const { id } = (await api.get('panel/tenant/roles', { token: admin })).body.data[0];
      await api.put(`panel/tenant/roles/${id}`, { token: admin, body: { permissions: [] } });
      return { things: { id } };
    },
    'POST /v1/panel/location/:id/role': () => ({ body: { name: 'Gece', permissions: ['view-clients'] } }),
    'POST /v1/panel/tenant/roles': () => ({ body: { name: 'Gündüz', permissions: ['view-clients'] } }),
    'POST /v1/panel/notification/:id/read': () => ({ token: scene.manager }),
    'POST /v1/panel/portal/:id/publish': () => drafted(),
    'DELETE /v1/panel/portal/:id/draft': () => drafted(),
    'POST /v1/panel/portal/:id/duplicate': () => ({ body: { name: 'Kopya' } }),
    'POST /v1/panel/portal': () => ({ body: { name: 'Yeni' } }),
    'POST /v1/panel/client/import/preview': async () => ({ body: await list() }),
    'POST /v1/panel/client/import': async () => ({ body: await list() }),
    'POST /v1/panel/client-import': () => ({
      body: fileForm('Username,Password\nimported,secret-1\n', { name: 'users.csv', location_id: location }),
    }),
    'POST /v1/panel/client-import/sessions': () => ({
      body: { location_id: location, file_name: 'radacct.sql', bytes: 10 },
    }),
    'POST /v1/panel/client-import/:id/part': async () => {
      const body = { location_id: location, file_name: 'radacct.sql', bytes: 10 };
      const { id } = (await api.post('panel/client-import/sessions', { token: admin, body })).body.data;
      return { things: { id }, body: fileForm('--', { name: 'radacct.sql', starts_at: '0' }) };
    },
    'POST /v1/panel/client/selected/move': async () => {
      const body = { name: 'Taşınacak', provider_type: 'username', username: 'tasinacak', password: 'gizli-parola' };
      const made = await api.post('panel/client', { token: admin, body: { ...body, location_id: location } });
      return { body: { ids: [made.body.data.id], location_id: await elsewhere() } };
    },
    'POST /v1/panel/client/selected/delete': async () => {
      const body = { name: 'Silinecek', provider_type: 'username', username: 'silinecek', password: 'gizli-parola' };
      const made = await api.post('panel/client', { token: admin, body: { ...body, location_id: location } });
      return { body: { ids: [made.body.data.id] } };
    },
    'POST /v1/panel/client/selected/extend': () => ({
      body: { ids: [thing('/v1/panel/client/:id')], until: '2098-01-01T00:00:00Z' },
    }),
    'POST /v1/panel/client/:id/extend': () => ({ body: { until: '2099-01-01T00:00:00Z' } }),
    'POST /v1/panel/client/:id/move': async () => ({ body: { location_id: await elsewhere() } }),
    'POST /v1/panel/portal/:id/image': async () => ({ body: await pictureFor('logo') }),
    'POST /v1/panel/portal/css': () => ({ body: { styles: { custom_css: '.title { letter-spacing: 0.02em }' } } }),
    'POST /v1/panel/portal/image': async () => ({ body: await pictureFor('logo') }),
    'POST /v1/panel/portal/:id/video': () => ({ body: fileForm(mp4({})) }),
    'POST /v1/panel/portal/video': () => ({ body: fileForm(mp4({})) }),
    'POST /v1/panel/tenant/images': async () => ({ body: await pictureFor('tenant-brands') }),
    'POST /v1/panel/location/:id/user': () => ({ body: { email: fresh() } }),
    'POST /v1/team/members/invite/:id': () => ({ body: { email: fresh() } }),
    'PUT /v1/panel/client/:id': () => ({
      // It was moved to another location.
      body: { ...(scene.bodies['PUT /v1/panel/client/:id'] as object), location_id: undefined, shared_user: 9 },
    }),
    'PUT /v1/panel/location/by-external-id/:externalId': () => ({ body: { name: 'Kamp', city: 'Rize' } }),
    'PUT /v1/panel/location/user-profile/by-external-id/:externalId': () => ({
      body: { name: 'Kamp', location_id: location },
    }),
    'PUT /v1/panel/device/by-external-id/:externalId': async () => ({
      body: {
        name: 'Kamp',
        location_id: location,
        mac_address: 'A1:B2:C3:D4:E5:42',
        brand_id: thing('/v1/panel/device/brands/:id'),
      },
    }),
    'PUT /v1/panel/portal/by-external-id/:externalId': () => ({ body: { name: 'Kamp', location_id: location } }),
    'PUT /v1/panel/location/:id/user/:userId': () => ({ body: { permissions: { devices: ['view'] } } }),
    'PUT /v1/panel/user/team/device/:id': async () => {
      const { token } = await api.user('member', { location });
      const { id } = await api.user('member', { location });
      return { token, things: { id }, body: { permissions: { devices: ['view'] } } };
    },
    'DELETE /v1/panel/location/:id/user/:userId': async () => ({
      things: { id: location, userId: (await api.user('member', { location })).id },
    }),
    'POST /v1/panel/tenant/users': () => ({
      body: { ...names, email: fresh(), password: 'gizli-parola', role: 'reseller' },
    }),
    'PUT /v1/panel/tenant/users/:id': () => ({
      body: { role: 'reseller', password: 'gizli-parola', first_name: 'Ela' },
    }),
    'POST /v1/panel/device/selected/hotspot': async () => {
      const id = thing('/v1/panel/device/:id');
      await api.patch(`panel/device/${id}/management/enableHotspot`, { token: admin });
      return { body: { ids: [id], hotspot_status: false } };
    },
    'POST /v1/panel/device/selected/delete': async () => {
      const body = {
        name: 'Silinecek',
        mac_address: 'A1:B2:C3:D4:E5:43',
        brand_id: thing('/v1/panel/device/brands/:id'),
      };
      const made = await api.post('panel/device', { token: admin, body: { ...body, location_id: location } });
      return { body: { ids: [made.body.data.id] } };
    },
    'PATCH /v1/panel/device/:id/management/enableHotspot': async () => {
      const id = thing('/v1/panel/device/:id');
      await api.patch(`panel/device/${id}/management/disableHotspot`, { token: admin });
      return { things: { id } };
    },
    'PATCH /v1/panel/device/:id/management/disableHotspot': async () => {
      const id = thing('/v1/panel/device/:id');
      await api.patch(`panel/device/${id}/management/enableHotspot`, { token: admin });
      return { things: { id } };
    },
    'PUT /v1/panel/portal/:id/rules/:itemId': () => ({
      body: { state: 'login_successful', action: 'redirect_to_url', url: 'https://example.org/' },
    }),
    'POST /v1/panel/device/:id/macs/import/preview': () => ({ body: macList() }),
    'POST /v1/panel/device/:id/macs/import': () => ({ body: macList() }),
    'POST /v1/panel/device/:id/macs': () => ({ body: { mac: 'A1:B2:C3:D4:E5:03', type: 'bypassed', comment: '' } }),
    'POST /v1/panel/device/:id/commands/:commandId/retry': async () => {
      const at = `panel/device/${thing('/v1/panel/device/:id')}`;
      await api.post(`${at}/macs`, { token: admin, body: { mac: 'A1:B2:C3:D4:E5:77', type: 'blocked' } });
      return { things: { commandId: (await api.get(`${at}/commands`, { token: admin })).body.data[0].id } };
    },
    'POST /v1/panel/device/:id/connection/test': async () => {
      const router = await openRouterOs();
      onTestFinished(() => router.close());
      const { rest: port } = router.ports;
      return {
        body: { host: '127.0.0.1', port, username: 'portico', password: 'a router password', protocol: 'rest' },
      };
    },
    'DELETE /v1/panel/device/:id/connection/certificate': async () => {
      const id = thing('/v1/panel/device/:id');
      await api.app.db.pool.query(`update devices set certificate = 'AB:CD' where id = $1`, [id]);
      return { things: { id } };
    },
    'POST /v1/panel/device/:id/network': () => ({ body: { name: 'Ağ', start_ip: '10.8.0.0', subnet: '24' } }),
    'PUT /v1/panel/device/:id/network/:networkId': () => ({
      body: { name: 'Başka ağ', start_ip: '10.9.0.0', subnet: '24' },
    }),
    'POST /v1/panel/device/sophos/template/:id': async () => ({ things: { id: await sophos() } }),
  };
  for (const kind of ['ads', 'surveys']) {
    const key = `PUT /v1/panel/portal/:id/${kind}/:itemId`;
    arranged[key] = () => ({ body: { ...(scene.bodies[key] as object), name: 'Başka' } });
  }
  arranged['POST /v1/panel/qrmenu/product/:id/image'] = async () => ({ body: await pictureFor('') });
  for (const kind of ['category', 'product'])
    arranged[`PUT /v1/panel/qrmenu/${kind}/order`] = async () => {
      const body = { location_id: location, title: 'Öne' };
      const { id } = (await api.post(`panel/qrmenu/${kind}`, { token: admin, body })).body.data;
      return { body: { location_id: location, ids: [id, thing(`/v1/panel/qrmenu/${kind}/:id`)] } };
    };
  for (const kind of ['category', 'desk', 'product'])
    arranged[`POST /v1/panel/qrmenu/${kind}`] = () => ({ body: { location_id: location, title: 'Yeni' } });

  async function drafted() {
    const { id } = (await api.post('panel/portal', { token: admin, body: { name: 'Taslak', location_id: location } }))
      .body.data;
    await api.put(`panel/portal/${id}/draft`, { token: admin, body: { color_scheme: 'dark' } });
    return { things: { id } };
  }

  async function sophos(): Promise<string> {
    const brands = (await api.get('panel/device/brands', { token: admin })).body.data;
    const brand_id = brands.find((it: { slug: string }) => it.slug === 'sophos').id;
    const body = { location_id: location, brand_id, name: 'S', mac_address: 'A1:B2:C3:D4:E5:99' };
    return (await api.post('panel/device', { token: admin, body })).body.data.id;
  }
  return arranged;
}
