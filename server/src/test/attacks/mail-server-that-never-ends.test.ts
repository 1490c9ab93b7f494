import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import sql from 'sql-template-tag';
import { expect, onTestFinished, test } from 'vitest';
import { newId } from '#lib/ids.ts';
import { queueMail } from '#mail/outbox.ts';
import { openTransport } from '#mail/transport.ts';
import { openMailer } from '../../features/integrations/smtp/smtp.ts';
import { jobs, runJob } from '../../services/jobs.ts';
import { startApi } from '../harness.ts';

// The attack: a tenant enters a mail server of its own that answers a little now and then, and never ends. All mails waited for
// it, also the links with which other tenants reset their passwords.
const api = await startApi({ INTEGRATIONS_INSIDE: '1' });
const from = { from_name: 'Otel', from_address: 'otel@example.com' };

async function startEndlessServer() {
  const talking = new Set<Socket>();
  const server = createServer(socket => {
    talking.add(socket);
    socket.on('error', () => undefined).on('close', () => talking.delete(socket));
    socket.write('220 hello\r\n');
    const more = setInterval(() => socket.write('250-still\r\n'), 50);
    socket.on('close', () => clearInterval(more));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of talking) socket.destroy();
    server.close();
  });
  const { port } = server.address() as { port: number };
  const connection = { type: 'smtp' as const, host: '127.0.0.1', port, security: 'none' as const, ...from };
  return { talking, connection: { ...connection, username: '', password: '' } };
}

test('mails of other tenants do not wait for it', async () => {
  const { token } = await api.user('tenant-admin');
  const location = await api.location(token, 'Otel');
  const { talking, connection } = await startEndlessServer();
  await api.inTenant(tx =>
    tx.run(sql`insert into integrations (id, location_id, kind, name, connection)
      values (${newId()}, ${location}, 'smtp', 'Posta', ${api.app.secrets.encrypt(JSON.stringify(connection))})`),
  );
  const guest = { to: 'guest@example.com', locationId: location };
  const other = { to: 'other@example.com', locationId: undefined };
  for (const [tenant, mail] of [
    ['panel', guest],
    ['elsewhere', other],
  ] as const) {
    await api.user('tenant-admin', { tenant });
    const data = { name: 'Ada', link: 'https://example.com/', hours: 72 };
    await api.app.db.withTenant(await api.tenantId(tenant), tx =>
      queueMail(tx, api.app, { ...mail, language: 'en', template: 'confirm_email', data }),
    );
  }
  const stateOf = async (address: string) =>
    (
      await api.app.db.withSystem(tx =>
        tx.one<{ state: string }>(sql`select state from outbox_mails where address = ${address}`),
      )
    ).state;
  const runs = jobs.filter(it => it.name.startsWith('mails')).map(it => runJob(api.app, it));
  await expect.poll(() => stateOf('other@example.com')).toBe('sent');
  await expect.poll(() => talking.size).toBe(1);
  expect(await stateOf('guest@example.com')).toBe('waiting');
  for (const socket of talking) socket.destroy();
  await Promise.all(runs);
});

test('the conversation with it ends after a time', async () => {
  const { talking, connection } = await startEndlessServer();
  const mailer = await openMailer(api.app, connection, 300);
  await expect(mailer.verify()).rejects.toThrow('took too long');
  await expect.poll(() => talking.size).toBe(0);
});

test('a mail through the server of the installation ends after a time too', async () => {
  const { talking, connection } = await startEndlessServer();
  const transport = openTransport({ ...api.app.settings, SMTP_URL: `smtp://127.0.0.1:${connection.port}` });
  const letter = {
    id: '1',
    from: 'a@example.com',
    to: 'b@example.com',
    subject: 'a',
    html: 'a',
    text: 'a',
    attachments: [],
  };
  await expect(transport.send(letter, AbortSignal.timeout(300))).rejects.toThrow();
  await expect.poll(() => talking.size).toBe(0);
  transport.close();
});
