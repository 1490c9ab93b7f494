import { SMTPServer } from 'smtp-server';
import sql from 'sql-template-tag';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTenant } from '#features/tenants/public.ts';
import type { App } from '#lib/app.ts';
import { newId } from '#lib/ids.ts';
import { startApp } from '#test/harness.ts';
import { buttonColors, htmlOf } from './layout.ts';
import { panelLink } from './links.ts';
import { sendMails } from './mail.jobs.ts';
import { queueMail } from './outbox.ts';
import { readMail, takeMails } from './testing.ts';

const invitation = {
  location: 'Hotel <b>Mavi</b> & Şurup',
  inviter: 'Ayşe "Ö"',
  link: 'https://x.example/a?b=1&c=2',
  days: 7,
};

/** A real SMTP server whose answers a test can set. */
async function startSmtp() {
  const got: { from: string; to: string; raw: string }[] = [];
  const answers: number[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo(_address, _session, done) {
      const code = answers.shift();
      done(code ? Object.assign(new Error('told to refuse'), { responseCode: code }) : undefined);
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', chunk => chunks.push(chunk));
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope;
        got.push({
          from: mailFrom ? mailFrom.address : '',
          to: rcptTo.map(it => it.address).join(),
          raw: Buffer.concat(chunks).toString('utf8'),
        });
        done();
      });
    },
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.server.address() as { port: number };
  return { got, answers, port, stop: () => new Promise<void>(resolve => server.close(() => resolve())) };
}

let smtp: Awaited<ReturnType<typeof startSmtp>>;
let app: App;
let tenantId: string;
beforeAll(async () => {
  smtp = await startSmtp();
  app = await startApp({ SMTP_URL: `smtp://127.0.0.1:${smtp.port}`, MAIL_FROM: 'Portico <no-reply@wifi.example>' });
  tenantId = await app.db.withSystem(tx => createTenant(tx, 'acme', 'Acme Ağları'));
});
afterAll(() => smtp.stop());

const queue = (to: string, language: 'tr' | 'en' = 'tr') =>
  app.db.withTenant(tenantId, tx => queueMail(tx, app, { to, language, template: 'invitation', data: invitation }));
const row = (to: string) =>
  app.db.withTenant(tenantId, tx =>
    tx.one<{ state: string; attempts: number; data: string | null; wait: number; last_error: string | null }>(
      sql`select state, attempts, data, extract(epoch from next_at - now())::int as wait, last_error from outbox_mails where address = ${to}`,
    ),
  );
const due = (to: string) =>
  app.db.withTenant(tenantId, tx => tx.run(sql`update outbox_mails set next_at = now() where address = ${to}`));

describe('mail', () => {
  test('goes to the SMTP server, in the reader’s language and the tenant’s brand, as HTML and text', async () => {
    await app.db.withTenant(tenantId, tx => tx.run(sql`update tenants set primary_color = '#ffdd00'`));
    await queue('elif@example.com');
    expect((await row('elif@example.com')).data).not.toContain('Mavi');
    expect(await sendMails(app)).toBe(1);
    const [{ from, to, raw }] = smtp.got.splice(0) as [{ from: string; to: string; raw: string }];
    expect({ from, to }).toEqual({ from: 'no-reply@wifi.example', to: 'elif@example.com' });
    const mail = readMail(raw);
    expect(mail.subject).toBe('Hotel <b>Mavi</b> & Şurup sizi davet ediyor');
    expect(mail.text).toContain('https://x.example/a?b=1&c=2');
    expect(mail.text).toContain('Acme Ağları');
    expect(mail.html).toContain('lang="tr"');
    expect(mail.html).toContain('#ffdd00;color:#000000');
    expect(mail.html).not.toContain('<b>Mavi');
    expect(mail.html).toContain('Ayşe &#34;Ö&#34;');
    expect(mail.html).toContain('href="https://x.example/a?b=1&#38;c=2"');
    expect(await row('elif@example.com')).toMatchObject({ state: 'sent', attempts: 1, data: null });
    expect(await sendMails(app)).toBe(0);
  });

  test('is retried with growing pauses while the server is busy, then sent once', async () => {
    await queue('busy@example.com', 'en');
    const waits = [];
    for (let n = 0; n < 3; n++) {
      smtp.answers.push(451);
      await due('busy@example.com');
      await sendMails(app);
      waits.push((await row('busy@example.com')).wait);
    }
    expect(waits[0]).toBeGreaterThan(20);
    expect(waits[1]).toBeGreaterThan(waits[0]!);
    expect(waits[2]).toBeGreaterThan(waits[1]!);
    expect(await sendMails(app)).toBe(0);
    await due('busy@example.com');
    await sendMails(app);
    expect(smtp.got.splice(0)).toHaveLength(1);
    expect(await row('busy@example.com')).toMatchObject({ state: 'sent', attempts: 4, last_error: null });
  });

  test('to an unknown mailbox fails at once', async () => {
    await queue('nobody@example.com');
    smtp.answers.push(550);
    await sendMails(app);
    const it = await row('nobody@example.com');
    expect(it).toMatchObject({ state: 'failed', attempts: 1, data: null });
    expect(it.last_error).not.toContain('nobody@example.com');
  });

  test('is sent by one process only, even if several check at once', async () => {
    for (let n = 0; n < 30; n++) await queue(`many${n}@example.com`);
    const taken = await Promise.all([sendMails(app), sendMails(app), sendMails(app)]);
    expect(taken.reduce((a, b) => a + b)).toBe(30);
    expect(new Set(smtp.got.splice(0).map(it => it.to)).size).toBe(30);
  });

  describe('of a location whose own server does not answer', () => {
    const at = async (to: string, locationId?: string) =>
      app.db.withTenant(tenantId, tx =>
        queueMail(tx, app, { to, language: 'en', template: 'invitation', data: invitation, locationId }),
      );
    const newLocation = async (): Promise<string> => {
      const id = newId();
      await app.db.withTenant(tenantId, tx =>
        tx.run(sql`insert into locations (id, name, time_zone, trial_end_at) values (${id}, 'A', 'UTC', now())`),
      );
      return id;
    };

    test('keeps no other mail waiting, and gets no second mail meanwhile', async () => {
      const location = await newLocation();
      let end = (): void => undefined;
      const asked: string[] = [];
      const own = async (letter: { to: string }) => {
        asked.push(letter.to);
        await new Promise<void>(resolve => {
          end = resolve;
        });
      };
      const find = async (_: App, { locationId }: { locationId: string }) =>
        locationId === location ? own : undefined;
      const busy = new Set<string>();
      await at('slow@example.com', location);
      await at('reset@example.com');
      const run = sendMails(app, find, busy);
      await expect.poll(() => smtp.got.map(it => it.to)).toEqual(['reset@example.com']);
      // The server has the mail before the sender knows: until then the others wait for their turn.
      await expect.poll(() => [...busy]).toEqual([location]);
      await at('second@example.com', location);
      await at('later@example.com');
      expect(await sendMails(app, find, busy)).toBe(1);
      expect(smtp.got.splice(0).map(it => it.to)).toEqual(['reset@example.com', 'later@example.com']);
      expect(asked).toEqual(['slow@example.com']);
      end();
      await run;
      expect(await row('slow@example.com')).toMatchObject({ state: 'sent' });
      const next = sendMails(app, find, busy);
      await expect.poll(() => asked).toEqual(['slow@example.com', 'second@example.com']);
      end();
      await next;
    });

    test('is tried with two mails only, and the others lose no attempt', async () => {
      const location = await newLocation();
      let tries = 0;
      const own = async () => {
        tries += 1;
        throw new Error('connect ECONNREFUSED');
      };
      for (let n = 0; n < 6; n++) await at(`away${n}@example.com`, location);
      await sendMails(app, async () => own);
      expect(tries).toBe(2);
      const mails = await app.db.withTenant(tenantId, tx =>
        tx.many(
          sql`select attempts, state, next_at > now() as later from outbox_mails where location_id = ${location} order by id`,
        ),
      );
      const waiting = { state: 'waiting', later: true };
      expect(mails).toEqual([1, 1, 0, 0, 0, 0].map(attempts => ({ attempts, ...waiting })));
    });
  });

  test('is not sent once its code has expired', async () => {
    const to = 'late@example.com';
    await app.db.withTenant(tenantId, tx => {
      const data = { name: 'Ada', code: '123456', minutes: 15 };
      return queueMail(tx, app, { to, language: 'en', template: 'reset_code', data, minutes: 15 });
    });
    const pass = (minutes: number) =>
      app.db.withTenant(tenantId, tx =>
        tx.run(sql`update outbox_mails set next_at = next_at - make_interval(mins => ${minutes}),
          expires_at = expires_at - make_interval(mins => ${minutes}) where address = ${to}`),
      );
    await pass(16);
    smtp.got.splice(0);
    await sendMails(app);
    expect(smtp.got).toEqual([]);
    expect(await row(to)).toMatchObject({ state: 'failed', attempts: 0, data: null });
  });

  test('waits for an unreachable server', async () => {
    const lost = await startApp({ SMTP_URL: 'smtp://127.0.0.1:1' });
    const id = await lost.db.withSystem(tx => createTenant(tx, 'lost', 'Lost'));
    await lost.db.withTenant(id, tx =>
      queueMail(tx, lost, { to: 'a@example.com', language: 'en', template: 'invitation', data: invitation }),
    );
    await sendMails(lost);
    const state = await lost.db.withTenant(id, tx => tx.one<{ state: string }>(sql`select state from outbox_mails`));
    expect(state).toEqual({ state: 'waiting' });
  });

  test('is written to a folder without an SMTP server', async () => {
    const kept = await startApp();
    const id = await kept.db.withSystem(tx => createTenant(tx, 'kept', 'Kept'));
    await kept.db.withTenant(id, tx =>
      queueMail(tx, kept, {
        to: 'can@example.com',
        language: 'en',
        template: 'reset_code',
        data: { name: 'Can', code: '012345', minutes: 15 },
      }),
    );
    const [mail] = await takeMails(kept);
    expect(mail).toMatchObject({ to: 'can@example.com', subject: '012345 is your Kept code' });
    expect(mail!.html).toContain('012345');
  });
});

test('links lead to the tenant’s panel', () => {
  const settings = { ...app.settings, PUBLIC_URL: 'https://{tenant}.wifi.example' };
  expect(panelLink(settings, 'acme', '/a', { email: 'a+b@x.example' })).toBe(
    'https://acme.wifi.example/a?email=a%2Bb%40x.example',
  );
  const one = { ...app.settings, PUBLIC_URL: 'https://wifi.example' };
  expect(panelLink(one, 'acme', '/a')).toBe('https://wifi.example/a?tenant=acme');
  expect(panelLink(one, 'panel', '/a')).toBe('https://wifi.example/a');
});

test('button text is readable on any colour', () => {
  expect(buttonColors('#ffffff')).toEqual({ background: '#ffffff', ink: '#000000' });
  expect(buttonColors('#101010')).toEqual({ background: '#101010', ink: '#ffffff' });
  // White on the default blue is slightly below 4.5:1.
  expect(buttonColors('#2f71f2')).toEqual({ background: '#2d6ce8', ink: '#ffffff' });
});

test('the venue’s name keeps its own order in a mail from right to left', () => {
  const brand = { name: 'Café Lobby (2)', color: '#2d6ce8', logo: null };
  const words = { subject: 's', heading: 'h', paragraphs: ['في Café Lobby (2).'], note: 'n' };
  const name = 'Café Lobby (2)';
  expect(htmlOf(words, brand, 'ar').split(`<bdi>${name}</bdi>`)).toHaveLength(4);
  expect(htmlOf(words, brand, 'en')).not.toContain('<bdi>');
});
