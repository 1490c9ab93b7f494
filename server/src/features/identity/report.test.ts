import { type IdentityMatch, identityProofs, ties, type WhoWasIt } from '@portico/contract/identity.ts';
import { expect, test } from 'vitest';
import { fingerprint, makeSigningKey } from '#lib/certificates.ts';
import { identityReport } from './report.ts';
import { reportWords } from './report-words.ts';
import { pagesOf, textOf } from './testing/pdf-text.ts';

const key = await makeSigningKey('Çınar Otel');
const at = '2026-03-10T06:30:00.000Z';
const id = '00000000-0000-4000-8000-000000000001';

const match = (n: number): IdentityMatch => ({
  ...{ tie: 'address', proof: 'accounting', asked_at: at, near: false, exact: true, certain: false },
  session: {
    ...{ id: `session-${n}`, started_at: at, ended_at: at, client_mac: 'AA:BB:CC:DD:EE:FF', client_ip: '10.5.50.9' },
    ...{ ipv6: [], user_name: 'guest', upload: 1_500_000, download: 12_345_678, figures_reported: true },
  },
  guest: {
    ...{ id, name: `Guest ${n}`, provider_type: 'username', phone: `+90555${n}`, email: `g${n}@example.com` },
    ...{ username: `user${n}`, room_number: `room-${n}`, citizen_id: null, birth_date: null, created_at: at },
  },
  ...{ consent: null, location: { id, name: `Hotel ${n}` }, device: null, lease: null, lines: [] },
});
const answer = (guests: number, reason: string): WhoWasIt => ({
  asked: {
    ...{ address: '203.0.113.5', port: 61_000, at, also_at: null, mac: null },
    ...{ reason, time_zone: 'Europe/Istanbul' },
  },
  ...{ looked_up_at: at, complete: true, matches: Array.from({ length: guests }, (_, n) => match(n + 1)) },
});

test('a long report breaks its pages between facts: each is full, and a label stands beside its value', async () => {
  // Each line of the reason moves the place of the breaks.
  for (const reason of ['A case', 'A case '.repeat(15), 'A case '.repeat(30), 'A case '.repeat(42)]) {
    const pdf = await identityReport(answer(8, reason), { key, tenant: 'Çınar Otel', language: 'en' });
    const pages = pagesOf(pdf);
    expect(pages.length).toBeGreaterThan(2);
    for (const [n, lines] of pages.entries()) {
      const count = (pattern: RegExp) => lines.filter(it => pattern.test(it.trim())).length;
      // Each line counts for every font, in which it is decoded.
      if (n < pages.length - 1) expect(count(/./), `lines of page ${n + 1}`).toBeGreaterThan(60);
      expect(count(/^Page \d of \d$/), `page ${n + 1}`).toBe(1);
      for (const [label, value] of [
        [/^Name$/, /^Guest \d$/],
        [/^Phone$/, /^\+90555\d$/],
        [/^E-?mail$/i, /^g\d@example\.com$/],
        [/^Username$/, /^user\d$/],
        [/^Location$/, /^Hotel \d$/],
      ] as const)
        expect(count(label), `${label} on page ${n + 1}`).toBe(count(value));
    }
  }
});

const traffic = { en: { down: '12.35 MB', up: '1.5 MB' }, tr: { down: '12,35 MB', up: '1,5 MB' } };

test.for(['en', 'tr'] as const)('a report says all that is known, and nothing of the rest: %s', async language => {
  const words = reportWords[language];
  const printed = async (of: Partial<WhoWasIt>, one: Partial<IdentityMatch> = {}): Promise<string> => {
    const all = { ...answer(1, 'A case'), matches: [{ ...match(1), ...one }], ...of };
    return textOf(await identityReport(all, { key, tenant: 'Çınar Otel', language })).replaceAll(/\s+/g, ' ');
  };
  const { session, guest } = match(1);
  const ipv6 = [{ address: '2001:db8::1', first_at: at, last_at: at }];
  const full = await printed(
    { complete: false, asked: { ...answer(1, '').asked, also_at: at } },
    {
      ...{ near: true, session: { ...session, ended_at: null, figures_reported: false, ipv6 } },
      ...{ guest: { ...guest!, citizen_id: '10000000146', birth_date: '1990-01-02' } },
      consent: { version: 'v7', language, agreed_at: at },
      device: { id, name: 'Lobby', nas_identifier: 'nas-7', address: null },
      lease: { source: 'dhcp', address: '10.5.50.9', at },
      lines: [{ at, type: 'dhcp', text: 'assigned 10.5.50.9', proof: 'address' }],
    },
  );
  const plain = await printed({}, { certain: true });
  const moment = '10.03.2026 09:30:00 (GMT+03:00)';
  const { down, up } = traffic[language];
  for (const always of [
    ...['Çınar Otel', words.title, words.intro, words.asked, words.page(1, 1)],
    ...[`${words.address} 203.0.113.5`, `${words.port} 61000`, `${words.time} ${moment}`, `${words.reason} A case`],
    ...[`${words.lookedUp} ${moment}`, `${words.proofLabel} ${words.proofs.accounting}`],
    ...[`${words.mac} AA:BB:CC:DD:EE:FF`, `${words.started} ${moment}`, `${words.location} Hotel 1`],
    ...[words.traffics(down, up), words.signature(fingerprint(key.certificate)).slice(0, 40)],
  ])
    expect(plain).toContain(always);
  const asked = { ...answer(1, 'A case').asked, mac: '02:00:00:00:00:99', port: null, time_zone: 'Etc/UTC' };
  const other = await printed({ asked });
  for (const fact of [`${words.mac} 02:00:00:00:00:99`, `${words.time} 10.03.2026 06:30:00 (GMT+00:00)`])
    expect(other).toContain(fact);
  for (const unknown of [words.port, words.alsoTime]) expect(other).not.toContain(` ${unknown} `);
  for (const known of [
    ...[words.incomplete, words.twoTimes, words.answersTime, words.near, words.open, words.notReported],
    ...['IPv6 2001:db8::1', `${words.citizenId} 10000000146`, `${words.birthDate} 1990-01-02`],
    words.agreed('v7', '10.03.2026 09:30:00 (GMT+03:00)'),
    ...[`${words.device} Lobby, nas-7`, `10.5.50.9, ${words.leases.dhcp}`, words.lines, words.notCertain],
  ]) {
    expect(full).toContain(known);
    expect(plain).not.toContain(known);
  }
  expect(await printed({}, { guest: null })).toContain(words.noGuest);
  expect(await printed({ matches: [] })).toContain(words.noMatch);
  for (const rest of [words.noGuest, words.noMatch]) expect(full + plain).not.toContain(rest);
});

test.for([
  ['en', 'Result', ['Result 1 of 2', 'Result 2 of 2']],
  ['tr', 'Sonuç', ['Sonuç 1 / 2', 'Sonuç 2 / 2']],
] as const)('the results of a report are numbered if there are several: %s', async ([language, one, several]) => {
  const headings = async (guests: number) => {
    const pdf = await identityReport(answer(guests, 'A case'), { key, tenant: 'Çınar Otel', language });
    return pagesOf(pdf)
      .flat()
      .map(it => it.trim())
      .filter(it => it.startsWith(one));
  };
  expect(await headings(1)).toEqual([one]);
  expect(await headings(2)).toEqual(several);
});

const methods = ['sms', 'citizen-id', 'room-number', 'username', 'email', 'temp'];

test('a report names each way to a guest, each proof and each kind of sign-in, with words of its language', async () => {
  const namesIn = async (language: 'en' | 'tr'): Promise<string[]> => {
    const { tie, proofs, lineProofs, methods: named, leases } = reportWords[language];
    const { guest } = match(1);
    const matches = identityProofs.map(
      (proof, n): IdentityMatch => ({
        ...{ ...match(n + 1), proof, tie: ties[n] ?? 'address' },
        guest: { ...guest!, provider_type: methods[n]! },
        lease: { source: n === 0 ? 'dhcp' : 'accounting', address: '10.5.50.9', at },
        lines: [{ at, type: 'dhcp', text: `line ${n}`, proof }],
      }),
    );
    const pdf = await identityReport({ ...answer(1, 'A case'), matches }, { key, tenant: 'Çınar Otel', language });
    const printed = textOf(pdf).replaceAll(/\s+/g, ' ');
    expect(printed).not.toContain('undefined');
    const names = [
      ...[...ties.map(it => tie[it]), ...identityProofs.map(it => proofs[it]), ...methods.map(it => named[it])],
      ...[...identityProofs.map(it => `[${lineProofs[it]}] line`), leases.dhcp, leases.accounting],
    ];
    for (const name of names) expect(printed).toContain(name);
    expect(new Set(names).size, 'no two are the same').toBe(names.length);
    return names as string[];
  };
  const english = new Set(await namesIn('en'));
  // The names of systems are the same.
  for (const name of await namesIn('tr')) if (!/^\[RADIUS|^\[portal/.test(name)) expect(english).not.toContain(name);
});
