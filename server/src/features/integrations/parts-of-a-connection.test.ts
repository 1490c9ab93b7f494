import { once } from 'node:events';
import { SMTPServer } from 'smtp-server';
import { beforeAll, expect, test } from 'vitest';
import { afterFile } from '#test/after-file.ts';
import { type Body, startApi, type TestApi } from '#test/harness.ts';

let api: TestApi;
let admin: string;

beforeAll(async () => {
  api = await startApi({ INTEGRATIONS_INSIDE: '1' });
  admin = (await api.user('tenant-admin')).token;
});

const create = async (connection: Body): Promise<Body> => {
  const location_id = await api.location(admin, `Place of ${connection.type}`);
  const body = { name: 'Bağlantı', location_id, integration_id: connection.type, params: { connection } };
  const answer = await api.post('panel/integration', { token: admin, body });
  expect(answer.status, answer.text).toBe(201);
  return answer.body.data;
};
const change = ({ id }: Body, connection: unknown, language: 'tr' | 'en' = 'en') =>
  api.put(`panel/integration/${id}`, { token: admin, language, body: { params: { connection } } });
const connectionOf = async ({ id }: Body): Promise<Body> =>
  (await api.get(`panel/integration/${id}`, { token: admin })).body.data.params.connection;

const http = {
  type: 'sms-http',
  url: 'https://sms.example.com/send',
  method: 'GET',
  content_type: 'text/plain',
  body: '{text}',
  username: 'hesap',
  password: 'gizli',
  sender: 'KAFE',
  answer_has: 'OK',
};

test.each([{ type: 'sms-http', sender: 'OTEL' }, { sender: 'OTEL' }])(
  'a change that sends %o keeps the other fields',
  async sent => {
    const it = await create(http);
    const answer = await change(it, sent);
    expect(answer.status, answer.text).toBe(200);
    const { password: _, ...shown } = http;
    expect(answer.body.data.params.connection).toEqual({ ...shown, sender: 'OTEL' });
  },
);

test('a change of an address alone asks for the secret again', async () => {
  const it = await create(http);
  const answer = await change(it, { url: 'https://elsewhere.example.com/' });
  expect(answer.status).toBe(422);
  expect(Object.keys(answer.body.errors)).toEqual(['params.connection.password']);
});

test('a part is checked as in a whole connection, and by its name in the body', async () => {
  const it = await create({ type: 'webhook', url: 'https://example.com/hook', events: ['visitor.created'] });
  for (const [sent, field] of [
    [{ events: [] }, 'events'],
    [{ events: ['no.such'] }, 'events'],
    [{ url: 'ftp://example.com' }, 'url'],
    [{ url: null }, 'url'],
    [{ type: 'smtp' }, 'type'],
    [{ type: 'no-such' }, 'type'],
  ] as const) {
    const answer = await change(it, sent);
    expect(answer.status, JSON.stringify(sent)).toBe(422);
    expect(Object.keys(answer.body.errors)).toEqual([`params.connection.${field}`]);
  }
  expect((await change(it, { url: null }, 'tr')).body.errors['params.connection.url']).toEqual(['Bu alan zorunludur.']);
  expect(await connectionOf(it)).toEqual({
    type: 'webhook',
    url: 'https://example.com/hook',
    events: ['visitor.created'],
  });
});

test('a part that does not name the security of a mail server keeps it', async () => {
  const mails = new SMTPServer({ authOptional: true, disabledCommands: ['STARTTLS'] });
  mails.listen(0, '127.0.0.1');
  await once(mails.server, 'listening');
  afterFile(() => mails.close());
  const { port } = mails.server.address() as { port: number };
  const it = await create({
    type: 'smtp',
    host: '127.0.0.1',
    port,
    security: 'none',
    from_name: 'Kafe',
    from_address: 'kafe@example.com',
  });
  const answer = await change(it, { from_name: 'Otel' });
  expect(answer.status, answer.text).toBe(200);
  expect(await connectionOf(it)).toMatchObject({
    security: 'none',
    from_name: 'Otel',
    from_address: 'kafe@example.com',
  });
});

test('two changes of different parts at once both count', async () => {
  const it = await create(http);
  const answers = await Promise.all([
    change(it, { sender: 'OTEL' }),
    change(it, { body: '{text} ' }),
    change(it, { answer_has: 'DONE' }),
  ]);
  expect(answers.map(answer => answer.status)).toEqual([200, 200, 200]);
  expect(await connectionOf(it)).toMatchObject({ sender: 'OTEL', body: '{text} ', answer_has: 'DONE' });
});
