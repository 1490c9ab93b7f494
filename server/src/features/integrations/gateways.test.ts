import { once } from 'node:events';
import { createServer } from 'node:net';
import { SMTPServer } from 'smtp-server';
import sql from 'sql-template-tag';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sendMails } from '#mail/mail.jobs.ts';
import { queueMail } from '#mail/outbox.ts';
import { sendMessages } from '#sms/sms.jobs.ts';
import { afterFile } from '#test/after-file.ts';
import { type Body, startApi, type TestApi } from '#test/harness.ts';
import { ownGateway, ownMail } from './public.ts';
import { checkDeliveries } from './sms/delivery-reports.jobs.ts';
import { operatorBases } from './sms/operators.ts';
import { startReceiver } from './testing/receiver.ts';

let api: TestApi;
let admin: string;
let operator: Awaited<ReturnType<typeof startReceiver>>;

beforeAll(async () => {
  api = await startApi({ INTEGRATIONS_INSIDE: '1' });
  admin = (await api.user('tenant-admin')).token;
  operator = await startReceiver();
  const usual = { ...operatorBases };
  afterFile(() => Object.assign(operatorBases, usual));
  for (const slug of Object.keys(operatorBases) as (keyof typeof operatorBases)[]) operatorBases[slug] = operator.url;
});
beforeEach(async () => {
  await api.inTenant(async tx => {
    await tx.run(sql`delete from sms_messages`);
    await tx.run(sql`delete from notifications`);
  });
  operator.requests.length = 0;
});

const place = (name: string) => api.location(admin, name);
const connect = async (location: string, connection: Body): Promise<Body> => {
  const body = { name: 'Geçit', location_id: location, integration_id: connection.type, params: { connection } };
  const answer = await api.post('panel/integration', { token: admin, body });
  expect(answer.status, answer.text).toBe(201);
  return answer.body.data;
};
const text = 'Kafe Wi-Fi kodunuz: 123456 "ş"&{text}';
/** The row that a guest's sign-in creates. */
const message = (location: string, to = '+905321112233') =>
  api.inTenant(tx =>
    tx.run(sql`insert into sms_messages (id, location_id, phone_hash, data)
      values (new_id(), ${location}, '\\x00', ${api.app.secrets.encrypt(JSON.stringify({ to, text }))})`),
  );
const send = () => sendMessages(api.app, ownGateway);
const reports = async () => {
  await api.inTenant(tx => tx.run(sql`update sms_messages set check_at = now() where check_at is not null`));
  await checkDeliveries(api.app);
};
const logOf = async ({ id }: Body, language: 'tr' | 'en' = 'en'): Promise<Body[]> =>
  (await api.get(`panel/integration/${id}/messages`, { token: admin, language })).body.data;
const json = (it: { body: string }) => JSON.parse(it.body);
const basic = (user: string, password: string) => `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
const account = (type: string) => ({ type, username: 'hesap', password: 'gizli', sender: 'KAFE' });

test('a gateway that does not answer keeps no code of another location waiting', async () => {
  const [away, other] = [await place('Away'), await place('Other')];
  let end = (): void => undefined;
  const never = new Promise<string>(resolve => {
    end = () => resolve('1');
  });
  const sent: string[] = [];
  const { id: integrationId } = await connect(away, account('netgsm'));
  const gatewayOf = (answer: (to: string) => Promise<string>) => ({
    ...{ integrationId, reportsDelivery: false },
    send: ({ to }: { to: string }) => answer(to),
  });
  const find = async (_: unknown, { locationId }: { locationId: string }) =>
    locationId === away ? gatewayOf(() => never) : gatewayOf(async to => String(sent.push(to)));
  // More than one run takes.
  for (let n = 0; n < 15; n++) await message(away);
  await message(other, '+905321112244');
  const busy = new Set<string>();
  const stuck = sendMessages(api.app, find, busy);
  await expect.poll(() => busy.has(away)).toBe(true);
  expect(await sendMessages(api.app, find, busy)).toBe(1);
  expect(sent).toEqual(['+905321112244']);
  end();
  expect(await stuck).toBe(15);
});

describe('a location’s own SMS gateway', () => {
  test('Netgsm: a message is sent and its delivery report requested; code and number are not logged', async () => {
    const location = await place('Netgsm');
    const made = await connect(location, account('netgsm'));
    operator.answer(it => ({
      body: it.path.endsWith('/report')
        ? '{"code":"00","jobs":[{"jobid":"J1","status":1}]}'
        : '{"code":"00","jobid":"J1","description":"queued"}',
    }));
    await message(location);
    await send();
    const [sent] = operator.requests;
    expect([sent!.path, sent!.headers.authorization]).toEqual(['/sms/rest/v2/send', basic('hesap', 'gizli')]);
    expect(json(sent!)).toMatchObject({
      msgheader: 'KAFE',
      encoding: 'TR',
      messages: [{ msg: text, no: '5321112233' }],
    });
    expect(await logOf(made)).toMatchObject([{ state: 'sent', to: '+90 ••• 33', error: null }]);
    await reports();
    expect(json(operator.requests[1]!)).toMatchObject({ jobids: ['J1'] });
    const answer = await api.get(`panel/integration/${made.id}/messages`, { token: admin });
    expect(answer.body.data).toMatchObject([{ state: 'delivered' }]);
    expect(answer.text).not.toMatch(/123456|5321112233/);
    const shown = await api.get(`panel/integration/${made.id}`, { token: admin });
    expect([shown.status, shown.text]).toEqual([200, expect.not.stringContaining('gizli')]);
  });

  test('Netgsm: a refused message fails with its reason after three retries, and is notified once', async () => {
    const location = await place('Netgsm 2');
    const made = await connect(location, account('netgsm'));
    operator.answer(() => ({ status: 406, body: '{"code":"30"}' }));
    await message(location);
    for (let i = 0; i < 4; i++) {
      await send();
      await api.inTenant(tx => tx.run(sql`update sms_messages set next_at = now() where state = 'waiting'`));
    }
    expect(operator.requests).toHaveLength(4);
    const [failed] = await logOf(made, 'tr');
    expect(failed).toMatchObject({ state: 'failed', error: expect.stringContaining('kullanıcı adını veya parolayı') });
    const notices = (await api.get('panel/notification', { token: admin })).body.data as Body[];
    expect(notices.filter(it => it.kind === 'integration_failing')).toHaveLength(1);
  });

  test.each([
    ['a NUL', { code: 1, message: 'not\0 now' }, 'The other side refused: 1 not now'],
    ['half a character', { code: 1, message: 'not now \ud800' }, 'The other side refused: 1 not now'],
    ['no text', { code: 1, message: { more: 1 } }, 'The other side refused: 1'],
    ['nothing', null, 'The other side refused: HTTP 400'],
  ])('a refusal with %s is noted and told in words', async (what, body, error) => {
    const location = await place(`Twilio ${what}`);
    const made = await connect(location, account('twilio'));
    operator.answer(() => ({ status: 400, body: JSON.stringify(body) }));
    await message(location);
    await send();
    expect((await logOf(made))[0]).toMatchObject({ state: 'queued', error });
    const notices = (await api.get('panel/notification', { token: admin })).body.data as Body[];
    expect(notices.map(it => it.kind)).toEqual(['integration_failing']);
  });

  test('a message whose id cannot be stored is sent once', async () => {
    const location = await place('Twilio without an id');
    const made = await connect(location, account('twilio'));
    operator.answer(() => ({ status: 201, body: '{"sid":"S\\u00001"}' }));
    await message(location);
    await send();
    await api.inTenant(tx => tx.run(sql`update sms_messages set next_at = now() where state = 'waiting'`));
    await send();
    expect(operator.requests).toHaveLength(1);
    expect(await logOf(made)).toMatchObject([{ state: 'sent', error: null }]);
  });

  test('İleti Merkezi, Twilio and Vonage get requests in their documented format', async () => {
    const places = await Promise.all(['İleti', 'Twilio', 'Vonage'].map(place));
    const [ileti, twilio, vonage] = [
      await connect(places[0]!, account('iletimerkezi')),
      await connect(places[1]!, account('twilio')),
      await connect(places[2]!, account('vonage')),
    ];
    operator.answer(it => {
      if (it.path === '/v1/send-sms/json')
        return { body: '{"response":{"status":{"code":"200"},"order":{"id":"77"}}}' };
      if (it.path === '/v1/get-report/json')
        return { body: '{"response":{"status":{"code":"200"},"order":{"id":"77","message":[{"status":"112"}]}}}' };
      if (it.path.endsWith('/Messages.json')) return { status: 201, body: '{"sid":"SM1","status":"queued"}' };
      if (it.path.endsWith('/SM1.json')) return { body: '{"sid":"SM1","status":"delivered"}' };
      return { body: '{"messages":[{"status":"0","message-id":"V1"}]}' };
    });
    for (const it of places) await message(it);
    await send();
    const at = (path: string) => operator.requests.find(it => it.path === path)!;
    expect(json(at('/v1/send-sms/json')).request).toMatchObject({
      authentication: { key: 'hesap', hash: 'gizli' },
      order: { sender: 'KAFE', message: { text, receipents: { number: ['905321112233'] } } },
    });
    const form = (path: string) => Object.fromEntries(new URLSearchParams(at(path).body));
    const twilioAt = '/2010-04-01/Accounts/hesap/Messages.json';
    expect([form(twilioAt), at(twilioAt).headers.authorization]).toEqual([
      { To: '+905321112233', From: 'KAFE', Body: text },
      basic('hesap', 'gizli'),
    ]);
    expect(form('/sms/json')).toMatchObject({ api_key: 'hesap', to: '905321112233', text, type: 'unicode' });
    await reports();
    expect((await logOf(ileti))[0]).toMatchObject({ state: 'failed', error: expect.stringContaining('112') });
    expect((await logOf(twilio))[0]).toMatchObject({ state: 'delivered' });
    // Vonage sends delivery reports only to a callback URL.
    expect((await logOf(vonage))[0]).toMatchObject({ state: 'sent' });
  });

  test('any HTTP gateway: values of placeholders are escaped', async () => {
    const location = await place('HTTP');
    const made = await connect(location, {
      type: 'sms-http',
      method: 'POST',
      url: `${operator.url}/send?to={number}&u={username}`,
      content_type: 'application/json',
      headers: 'X-Key: {password}\nX-From: {sender}',
      body: '{"to":"{to}","text":"{text}","other":"{unknown}"}',
      username: 'a b',
      password: 'anahtar',
      sender: 'KAFE',
      answer_has: '"ok":true',
    });
    operator.answer(() => ({ body: '{"ok":true}' }));
    await message(location);
    await send();
    const [it] = operator.requests;
    expect([it!.path, it!.headers['x-key'], it!.headers['x-from']]).toEqual([
      '/send?to=905321112233&u=a%20b',
      'anahtar',
      'KAFE',
    ]);
    expect(json(it!)).toEqual({ to: '+905321112233', text, other: '{unknown}' });
    expect((await logOf(made))[0].state).toBe('sent');
    const shown = await api.get(`panel/integration/${made.id}`, { token: admin });
    expect([shown.status, shown.text]).toEqual([200, expect.not.stringMatching(/anahtar|X-Key/)]);
    operator.answer(() => ({ body: '{"ok":false,"why":"no credit"}' }));
    await message(location);
    await send();
    expect((await logOf(made))[0]).toMatchObject({ state: 'queued', error: expect.stringContaining('no credit') });
    // A new URL requires that the secrets are entered again.
    const { type: _, ...rest } = made.params.connection;
    const moved = { ...rest, type: 'sms-http', url: 'https://evil.example/{password}' };
    const put = await api.put(`panel/integration/${made.id}`, {
      token: admin,
      body: { name: 'x', params: { connection: moved } },
    });
    expect([put.status, Object.keys(put.body.errors)]).toEqual([422, ['params.connection.password']]);
  });

  test('one per location; other locations use that of the installation; a test is sent to the given number', async () => {
    const location = await place('Bir');
    await connect(location, account('vonage'));
    const body = {
      name: 'İkinci',
      location_id: location,
      integration_id: 'twilio',
      params: { connection: account('twilio') },
    };
    const second = await api.post('panel/integration', { token: admin, body });
    expect([second.status, Object.keys(second.body.errors)]).toEqual([422, ['location_id']]);
    operator.answer(() => ({ body: '{"messages":[{"status":"0","message-id":"V9"}]}' }));
    const other = await place('Öteki');
    await message(other, '+905320000001');
    await send();
    expect(operator.requests.filter(it => JSON.stringify(it).includes('5320000001'))).toEqual([]);
    const tried = await api.post('panel/integration/test', {
      token: admin,
      body: { ...account('vonage'), to: '0532 111 22 33' },
    });
    expect(tried.body.data, tried.text).toEqual([{ name: 'message_id', value: 'V9' }]);
    expect(new URLSearchParams(operator.requests.at(-1)!.body).get('to')).toBe('905321112233');
    for (const to of [undefined, '', 'x', '12', "1'; drop"]) {
      const wrong = await api.post('panel/integration/test', { token: admin, body: { ...account('vonage'), to } });
      expect([wrong.status, Object.keys(wrong.body.errors)], String(to)).toEqual([422, ['to']]);
    }
  });
});

describe('a location’s own mail server', () => {
  interface Mail {
    from: string;
    to: string;
    user: string;
    text: string;
  }
  const mails: Mail[] = [];
  let port = 0;

  beforeAll(async () => {
    const server = new SMTPServer({
      disabledCommands: ['STARTTLS'],
      authOptional: true,
      allowInsecureAuth: true,
      onAuth: ({ username, password }, _session, done) =>
        password === 'posta-parola'
          ? done(null, { user: username })
          : done(Object.assign(new Error('Invalid login'), { responseCode: 535 })),
      onData: (stream, session, done) => {
        const parts: Buffer[] = [];
        stream.on('data', (part: Buffer) => parts.push(part));
        stream.on('end', () => {
          const { mailFrom, rcptTo } = session.envelope;
          const from = mailFrom ? mailFrom.address : '';
          mails.push({
            from,
            to: rcptTo[0]!.address,
            user: String(session.user),
            text: Buffer.concat(parts).toString(),
          });
          done();
        });
      },
    });
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    port = (server.server.address() as { port: number }).port;
    afterFile(() => new Promise<void>(resolve => server.close(resolve)));
  });

  const connection = () => ({
    type: 'smtp',
    host: '127.0.0.1',
    port,
    security: 'none',
    username: 'otel',
    password: 'posta-parola',
    from_name: 'Otel Çınar',
    from_address: 'wifi@otel.example',
  });
  const mail = (locationId: string | undefined, to: string) =>
    api.inTenant(tx =>
      queueMail(tx, api.app, {
        to,
        language: 'tr',
        template: 'confirm_email',
        data: { name: 'Ada', link: 'https://example.com/', hours: 72 },
        locationId,
      }),
    );

  test('sends mails to its guests under its own name; other mails use the installation’s server', async () => {
    mails.length = 0;
    const location = await place('Posta');
    const made = await connect(location, connection());
    await mail(location, 'guest@example.com');
    await mail(undefined, 'someone@example.com');
    await sendMails(api.app, ownMail);
    expect(mails.map(it => [it.from, it.to, it.user])).toEqual([['wifi@otel.example', 'guest@example.com', 'otel']]);
    expect(mails[0]!.text).toMatch(/^From: .*<wifi@otel\.example>/m);
    const shown = await api.get(`panel/integration/${made.id}`, { token: admin });
    expect(shown.body.data.last_worked_at).toBeTruthy();
    expect(shown.text).not.toContain('posta-parola');
  });

  test('is tested before it is saved; a test mail is sent on request', async () => {
    mails.length = 0;
    const tryIt = (more: object) =>
      api.post('panel/integration/test', { token: admin, language: 'tr', body: { ...connection(), ...more } });
    expect((await tryIt({})).status).toBe(200);
    expect(mails).toHaveLength(0);
    expect((await tryIt({ to: 'ben@example.com' })).status).toBe(200);
    expect(mails.map(it => it.to)).toEqual(['ben@example.com']);
    expect((await tryIt({ to: 'a@example.com, b@example.com' })).body.errors).toHaveProperty('to');
    expect((await tryIt({ password: 'yanlış' })).body.errors.host[0]).toContain('kullanıcı adını veya parolayı');
    expect((await tryIt({ security: 'starttls' })).body.errors.host[0]).toContain('Bağlantı şifreli değil');
    expect((await tryIt({ port: 1 })).body.errors.host[0]).toContain('Sunucuya ulaşılamıyor');
    const location = await place('Posta 2');
    const params = { connection: { ...connection(), password: 'yanlış' } };
    const body = { name: 'x', location_id: location, integration_id: 'smtp', params };
    const refused = await api.post('panel/integration', { token: admin, body });
    expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ['params.connection.host']]);
  });

  test('whose refusal cannot be stored as it is keeps no other mail waiting', async () => {
    const hostile = createServer(socket => {
      socket.on('error', () => undefined).write('220 hello\r\n');
      socket.on('data', data => {
        const line = data.toString();
        socket.write(line.startsWith('RCPT') ? '550 no\0such \u{1f600}\r\n' : '250 fine\r\n');
      });
    });
    hostile.listen(0, '127.0.0.1');
    await once(hostile, 'listening');
    afterFile(() => new Promise<void>(resolve => hostile.close(() => resolve())));
    const location = await place('Posta 4');
    const { port: to } = hostile.address() as { port: number };
    const { username: _user, password: _password, ...rest } = connection();
    await api.inTenant(tx =>
      tx.run(sql`insert into integrations (id, location_id, kind, name, connection)
        values (new_id(), ${location}, 'smtp', 'Posta', ${api.app.secrets.encrypt(JSON.stringify({ ...rest, port: to, username: '', password: '' }))})`),
    );
    await mail(location, 'first@example.com');
    await mail(location, 'second@example.com');
    await sendMails(api.app, ownMail);
    const states = await api.app.db.withSystem(tx =>
      tx.many(sql`select state from outbox_mails where address in ('first@example.com', 'second@example.com')`),
    );
    expect(states).toEqual([{ state: 'failed' }, { state: 'failed' }]);
  });

  test('needs its password again for an unencrypted connection or another address', async () => {
    const made = await connect(await place('Posta 3'), connection());
    const { password: _, ...rest } = connection();
    for (const more of [{ host: 'evil.example' }, { port: 26 }, { security: 'tls' }]) {
      const body = { ...rest, ...more };
      const answer = await api.post(`panel/integration/${made.id}/test`, { token: admin, body });
      expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, ['password']]);
    }
    expect((await api.post(`panel/integration/${made.id}/test`, { token: admin, body: rest })).status).toBe(200);
  });
});
