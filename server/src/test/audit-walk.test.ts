import { api as contract } from '@portico/contract/api.ts';
import { type Endpoint, endpoints, takesIdempotencyKey } from '@portico/contract/endpoint.ts';
import { type WebhookEvent, webhookEvents } from '@portico/contract/integration-names.ts';
import { webhookPayloads } from '@portico/contract/webhook-events.ts';
import { openRouterOs } from '@portico/simulator/router-os/router-os.ts';
import pg from 'pg';
import sql from 'sql-template-tag';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type IdentityProvider, startIdentityProvider } from '#features/auth/sso/testing/identity-provider.ts';
import { panelHost, passkeyUser } from '#features/auth/testing/passkey-user.ts';
import { softwarePasskey } from '#features/auth/testing/software-passkey.ts';
import { stepAt, totpCode } from '#features/auth/totp.ts';
import { startPrinter } from '#features/printers/testing/escpos-printer.ts';
import { takeMails } from '#mail/testing.ts';
import { freshDatabase } from './database.ts';
import { startDns } from './dns-server.ts';
import { expectSchema } from './documented-schema.ts';
import { type Answer, type Ask, startApi, type TestApi } from './harness.ts';
import { relay } from './relay.ts';
import { type Scene, setScene } from './scene.ts';
import { fileForm, picture } from './uploads.ts';

/** Endpoints other than GET that write no audit entry, with the reason. */
const unwritten: Record<string, string> = {
  'POST /v1/user/forgot-password': 'mails a code and changes nothing; the new password is audited',
  'POST /v1/panel/user/two-factor': 'proposes a secret; the confirmation is audited',
  'POST /v1/panel/user/passkey/options': 'asks the browser for a passkey; adding it is audited',
  'POST /v1/user/passkey/options': 'asks the browser for a passkey; the sign-in is audited',
  'POST /v1/user/sso': 'sends the browser to the identity provider; the sign-in is audited',
  'POST /v1/panel/user/team/change/:id': 'chooses the caller’s active location',
  'POST /v1/panel/notification/:id/read': 'marks the caller’s own notifications',
  'POST /v1/panel/notification/read-all': 'marks the caller’s own notifications',
  'POST /v1/panel/client/import/preview': 'previews an import and changes nothing',
  'POST /v1/panel/device/:id/macs/import/preview': 'previews an import and changes nothing',
  'POST /v1/panel/integration/test': 'tests a connection and stores nothing',
  'POST /v1/panel/device/:id/logs/verify': 'reads the record and keeps what the check found',
  'POST /v1/panel/device/:id/doctor': 'asks the router and stores its answer',
  'POST /v1/panel/device/:id/connection/test': 'tests a connection and stores nothing',
  'POST /v1/panel/device/:id/commands/:commandId/retry': 'repeats a command that was audited before',
  'POST /v1/panel/integration/:id/test': 'tests a connection and stores nothing',
  'POST /v1/panel/integration/:id/deliveries/:deliveryId/resend': 'repeats a delivery that was made before',
  'POST /v1/panel/integration/:id/deliveries/resend': 'repeats deliveries that were made before',
  'POST /v1/panel/device/mikrotik/script/:id': 'returns a script and changes nothing',
  'POST /v1/panel/device/mikrotik/script/:id/link': 'returns a script and a one-time link to it',
  'POST /v1/panel/device/mikrotik/login/:id': 'returns a file and changes nothing',
  'POST /v1/panel/device/sophos/template/:id': 'returns a file and changes nothing',
};

/** Calls after which the token is no longer good. */
const endsTheToken: Record<string, string> = {
  'POST /v1/user/logout': 'signs out',
};

/** Every POST of a signed-in caller without an Idempotency-Key, with the reason. */
const unrepeatable: Record<string, string> = {
  'POST /v1/panel/user/two-factor': 'proposes a secret; the newest one counts',
  'POST /v1/panel/user/recovery-codes': 'returns secrets; those of the last call count',
  'POST /v1/panel/user/passkey/options': 'returns a challenge that is good once',
  'POST /v1/panel/radius-proxy/:id/secret': 'returns a secret; that of the last call counts',
  'POST /v1/panel/radius-proxy/:id/certificate': 'returns a secret key; that of the last call counts',
  'POST /v1/panel/client/selected/cards': 'reads passwords and changes nothing',
  'POST /v1/panel/client/export': 'returns a file and changes nothing',
  'POST /v1/panel/reports/who-was-it/pdf': 'returns a file and changes nothing',
  'POST /v1/panel/device/mikrotik/script/:id': 'returns a script and changes nothing',
  'POST /v1/panel/device/mikrotik/login/:id': 'returns a file and changes nothing',
  'POST /v1/panel/device/sophos/template/:id': 'returns a file and changes nothing',
};

/** Changes that send no event to webhooks, with the reason. Those of `unwritten` send none either. */
const account = 'changes the own account of a user, who is told by e-mail';
const signIn = 'signs a person in or out';
const secret = 'replaces a secret or a pinned certificate, which is no matter of other systems';
const reading = 'reads or prints, and changes nothing';
const draft = 'guests do not see drafts; publishing sends an event';
const upload = 'stores a picture; the thing that shows it sends an event';
const untold: Record<string, string> = {
  'POST /v1/user/login': signIn,
  'POST /v1/user/logout': signIn,
  'POST /v1/user/passkey': signIn,
  'DELETE /v1/oauth/tokens/:id': signIn,
  'POST /v1/user/reset-password': account,
  'POST /v1/panel/user/confirm-email': account,
  'POST /v1/panel/user/two-factor/confirm': account,
  'DELETE /v1/panel/user/two-factor': account,
  'POST /v1/panel/user/recovery-codes': account,
  'PUT /v1/panel/user/me': account,
  'PUT /v1/panel/user/notification': account,
  'POST /v1/panel/user/token': account,
  'DELETE /v1/panel/user/token/:id': account,
  'POST /v1/panel/user/passkey': account,
  'PUT /v1/panel/user/passkey/:id': account,
  'DELETE /v1/panel/user/passkey/:id': account,
  'DELETE /v1/panel/tenant/sso/links/:id': account,
  'POST /v1/panel/device/:id/secret': secret,
  'POST /v1/panel/integration/:id/secret': secret,
  'POST /v1/panel/radius-proxy/:id/secret': secret,
  'DELETE /v1/panel/device/:id/connection/certificate': secret,
  'POST /v1/panel/device/:id/login-hosts': 'tells where guests go at one gateway; part of its care',
  'POST /v1/panel/reports/who-was-it': reading,
  'POST /v1/panel/reports/who-was-it/pdf': reading,
  'POST /v1/panel/client/export': reading,
  'POST /v1/panel/client/selected/cards': reading,
  'POST /v1/panel/voucher-batch/:id/cards': reading,
  'POST /v1/panel/printer/:id/vouchers': reading,
  'PUT /v1/panel/location/:id/voucher-card': 'changes how cards are printed',
  'PUT /v1/panel/saved-view': 'changes how lists are shown',
  'DELETE /v1/panel/saved-view/:id': 'changes how lists are shown',
  'PUT /v1/panel/portal/:id/draft': draft,
  'DELETE /v1/panel/portal/:id/draft': draft,
  'POST /v1/panel/portal/:id/image': upload,
  'POST /v1/panel/portal/image': upload,
  'POST /v1/panel/tenant/images': upload,
  'POST /v1/panel/purchase/:id/check': 'asks the provider; the purchase sends an event when its state changes',
  'POST /v1/panel/license-payment/:id/check': 'asks the provider; the payment sends an event when its state changes',
  'POST /v1/panel/location/:id/license-payment': 'begins a payment, which sends licence.paid',
  'PUT /v1/panel/license-terms': 'the price that the tenant asks; it concerns no location',
  'POST /v1/panel/kick/:id': 'asks the router, whose report sends guest.offline',
  'POST /v1/panel/client/selected/end-sessions': 'asks the routers, whose reports send guest.offline',
  'PUT /v1/panel/client-import/:id': 'chooses before the start, which sends an event',
  'DELETE /v1/panel/client-import/:id': 'what it created stays; unstarted ones are forgotten',
  'POST /v1/panel/voucher-batch/:id/extend': 'extends the visitors of used vouchers, of which this batch has none',
};

/** Files that anyone with the permission may read without an entry, with the reason. */
const unwrittenFiles: Record<string, string> = {
  'GET /v1/panel/client/import/template': 'an example without data',
  'GET /v1/panel/location/overview': 'counts of locations, without guests',
  'GET /v1/panel/qrmenu/desk/:id/sheet': 'codes to print, which anyone at the table sees',
  'GET /v1/logs/download/:token': 'needs a signed link to a real file; logs.test.ts checks its entry',
};

const keyOf = (endpoint: Endpoint): string => `${endpoint.method} ${endpoint.path}`;
/** The nesting depth of a resource; a location contains all others. */
const depth = ({ path }: Endpoint): number => (path === '/v1/panel/location/:id' ? 0 : path.split('/').length);
const changing = [...endpoints(contract)].map(([, endpoint]) => endpoint).filter(it => it.method !== 'GET');
/** Deletions come last, the innermost first, because the other calls need the resources. */
const inOrder = [
  ...changing.filter(it => it.method !== 'DELETE'),
  ...changing.filter(it => it.method === 'DELETE').sort((a, b) => depth(b) - depth(a) || a.path.localeCompare(b.path)),
];

let api: TestApi;
let scene: Scene;
let admin: string;
let location: string;
let connection: Record<string, unknown>;
let people = 0;
let dnsRecords: Map<string, string>;
let identities: IdentityProvider;

beforeAll(async () => {
  const dns = await startDns();
  dnsRecords = dns.records;
  api = await startApi({
    TRUST_PROXY: '127.0.0.1',
    PUBLIC_URL: `http://${panelHost}`,
    INTEGRATIONS_INSIDE: '1',
    ROUTERS_INSIDE: '1',
    RADSEC_PORT: '2083',
    DNS_SERVERS: dns.address,
  });
  const redirectUris = [`http://${panelHost}/auth/sso`];
  identities = await startIdentityProvider({ id: 'portico', secret: 'secret', redirectUris });
  scene = await setScene(api);
  admin = (await api.user('tenant-admin')).token;
  location = thing('/v1/panel/location/:id');
  const { url } = await freshDatabase({ empty: true });
  const hotel = new pg.Client({ connectionString: url });
  await hotel.connect();
  await hotel.query('create table guests (a text, b text, c date, d timestamp, e timestamp, f text)');
  connection = {
    type: 'postgresql',
    db_host: '127.0.0.1',
    db_port: await relay(),
    db_username: 'postgres',
    db_password: 'gizli-parola',
    db_name: hotel.database,
    db_table: 'guests',
  };
  return () => {
    identities.close();
    return hotel.end();
  };
});

const thing = (path: string): string => scene.things[path]!;
const fields = {
  firstname: 'a',
  lastname: 'b',
  birth_date: 'c',
  session_start_at: 'd',
  session_end_at: 'e',
  room_number: 'f',
};
const fresh = (): string => `yeni${++people}@walk.example`;
const names = { first_name: 'Elif', last_name: 'Şahin', phone_number: '+905301112233' };

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
const pictureFor = async (collection: string) => fileForm(await picture(), { collection });
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
const macList = () => fileForm('MAC,Type\nA1:B2:C3:D4:E5:31,blocked\n', { name: 'list.csv' });
/** A user with an account and an invitation to the location. */
async function invited(): Promise<{ token: string; id: string }> {
  const person = await api.user('member', { location: await elsewhere() });
  return { token: person.token, id: await invite(person.email) };
}
const elsewhere = () => api.location(admin, 'Başka');
const panelHeaders = { 'x-forwarded-host': panelHost };
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

type Arranged = Ask & { readonly things?: Record<string, string> };

/** What a call needs beyond scene.ts: its body, its caller or its own resources. */
const arranged: Record<string, () => Promise<Arranged> | Arranged> = {
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
    const batch_id = thing('/v1/panel/voucher-batch/:id');
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
  'POST /v1/panel/portal/image': async () => ({ body: await pictureFor('logo') }),
  'POST /v1/panel/tenant/images': async () => ({ body: await pictureFor('tenant-brands') }),
  'POST /v1/panel/location/:id/user': () => ({ body: { email: fresh() } }),
  'POST /v1/team/members/invite/:id': () => ({ body: { email: fresh() } }),
  'PUT /v1/panel/location/by-external-id/:externalId': () => ({ body: { name: 'Kamp' } }),
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
  'PUT /v1/panel/tenant/users/:id': () => ({ body: { role: 'reseller', password: 'gizli-parola' } }),
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
    return { body: { host: '127.0.0.1', port, username: 'portico', password: 'a router password', protocol: 'rest' } };
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

/** The path with ids: those of the call, or those of scene.ts. */
function pathOf(endpoint: Endpoint, own: Record<string, string>): string {
  return endpoint.path.replace(/:(\w+)/g, (_place, name: string, offset: number) => {
    const end = endpoint.path.indexOf('/', offset);
    const upTo = endpoint.path.slice(0, end < 0 ? undefined : end);
    return own[name] ?? scene.things[`${endpoint.method} ${upTo}`] ?? scene.things[upTo] ?? `no-${name}`;
  });
}

const written = async (): Promise<{ id: string; text: string }[]> =>
  (await api.app.db.pool.query('select id, row_to_json(a)::text as text from audit_log a order by id')).rows;

interface Called {
  readonly answer: Answer;
  readonly news: string[];
  readonly events: Told[];
  /** Sends the same call with the same Idempotency-Key. */
  readonly repeat: () => Promise<Called>;
}

/** A webhook of the whole tenant that asked for every event. */
async function everyEvent(): Promise<void> {
  const params = { connection: { type: 'webhook', url: 'https://example.com/', events: webhookEvents } };
  const body = { name: 'Bayi', location_id: null, integration_id: 'webhook', params };
  const made = await api.post('panel/integration', { token: admin, body });
  expect(made.status, made.text).toBe(201);
}

interface Told {
  type: WebhookEvent;
  data: object;
}
/** The events since the last call. */
async function told(): Promise<Told[]> {
  const { rows } = await api.app.db.pool.query(
    `delete from webhook_deliveries where location_id is null returning id, body::jsonb as body`,
  );
  return rows.map(({ body }) => body as Told);
}

async function call(endpoint: Endpoint): Promise<Called> {
  const { things = {}, ...own } = (await arranged[keyOf(endpoint)]?.()) ?? {};
  const open = endpoint.access === 'public' ? {} : { token: admin };
  const body = endpoint.method === 'DELETE' ? {} : { body: scene.bodies[keyOf(endpoint)] ?? {} };
  const headers = { ...own.headers, 'idempotency-key': crypto.randomUUID() };
  const at = pathOf(endpoint, things);
  const send = async (): Promise<Called> => {
    const before = new Set((await written()).map(it => it.id));
    await told();
    const answer = await api.ask(endpoint.method, at, { ...open, ...body, ...own, headers });
    const news = (await written()).filter(it => !before.has(it.id)).map(it => it.text);
    return { answer, news, events: await told(), repeat: send };
  };
  return send();
}

const readings = [...endpoints(contract)]
  .map(([, endpoint]) => endpoint)
  .filter(it => it.method === 'GET' && it.access !== 'public' && typeof it.reply !== 'string');

// Before the changes, which delete everything.
test('every reading has an answer as the description of the API says', async () => {
  for (const endpoint of readings) {
    const answer = await api.ask('GET', pathOf(endpoint, {}), { token: admin });
    if (answer.status !== 200) expect([404, 409, 422], keyOf(endpoint)).toContain(answer.status);
    expectSchema(endpoint, answer);
  }
});

describe('every export writes an audit entry', () => {
  const files = [...endpoints(contract)]
    .map(([, endpoint]): Endpoint => endpoint)
    .filter(it => it.method === 'GET' && (it.csvDownload || it.reply === 'csv' || it.reply === 'file'));
  const audited = files.filter(it => !(keyOf(it) in unwrittenFiles));

  test.for(audited.map(endpoint => [keyOf(endpoint), endpoint] as const))('%s', async ([key, endpoint]) => {
    const before = new Set((await written()).map(it => it.id));
    const at = `${pathOf(endpoint, {})}${endpoint.csvDownload ? '?download=true' : ''}`;
    const answer = await api.get(at, { token: admin });
    expect(answer.status, `${key}: ${answer.text.slice(0, 300)}`).toBe(200);
    const news = (await written()).filter(it => !before.has(it.id)).map(it => JSON.parse(it.text));
    expect(news, key).toMatchObject([{ verb: 'export' }]);
  });

  test('except those that are listed, which exist', () => {
    const known = files.map(keyOf);
    expect(Object.keys(unwrittenFiles).filter(key => !known.includes(key))).toEqual([]);
  });
});

describe('every change writes an audit entry and sends an event', () => {
  beforeAll(everyEvent);

  test.for(inOrder.map(endpoint => [keyOf(endpoint), endpoint] as const))('%s', async ([key, endpoint]) => {
    const { answer, news, events, repeat } = await call(endpoint);
    expect(answer.status, `${key}: ${answer.text.slice(0, 300)}`).toBeLessThan(300);
    expectSchema(endpoint, answer);
    if (key in unwritten) expect(news, unwritten[key]).toEqual([]);
    else expect(news.length, key).toBeGreaterThan(0);
    if (key in unwritten || key in untold)
      expect(
        events.map(it => it.type),
        key,
      ).toEqual([]);
    else expect(events.length, `no event of ${key}`).toBeGreaterThan(0);
    for (const { type, data } of events) expect(webhookPayloads[type].data.strict().parse(data)).toEqual(data);
    for (const entry of news) {
      expect(entry).not.toContain('gizli-parola');
      expect(entry).not.toContain('"secret1"');
    }
    if (!takesIdempotencyKey(endpoint) || key in endsTheToken) return;
    const again = await repeat();
    expect([again.answer.headers.get('idempotency-replayed'), again.answer.text], key).toEqual(['true', answer.text]);
    expect([again.news, again.events], `${key} again`).toEqual([[], []]);
  });

  test('and every POST may be repeated with its Idempotency-Key, except those that only read, or whose answer is a secret', () => {
    const posts = changing.filter(it => it.method === 'POST' && it.access !== 'public' && !takesIdempotencyKey(it));
    expect(posts.map(keyOf).filter(key => !(key in unrepeatable))).toEqual([]);
    const known = posts.map(keyOf);
    expect(Object.keys(unrepeatable).filter(key => !known.includes(key))).toEqual([]);
  });

  test('every exception is an existing endpoint', () => {
    const known = changing.map(keyOf);
    expect(Object.keys(unwritten).filter(key => !known.includes(key))).toEqual([]);
    expect(Object.keys(untold).filter(key => !known.includes(key))).toEqual([]);
    expect(Object.keys(arranged).filter(key => !known.includes(key))).toEqual([]);
  });
});
