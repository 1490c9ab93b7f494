import type { IdentityMatch, WhoWasIt } from '@portico/contract/identity.ts';
import { expect, test } from 'vitest';
import { makeSigningKey } from '#lib/certificates.ts';
import { identityReport } from './report.ts';
import { pagesOf } from './testing/pdf-text.ts';

const key = await makeSigningKey('Çınar Otel');
const at = '2026-03-10T06:30:00.000Z';
const id = '00000000-0000-4000-8000-000000000001';

const match = (n: number): IdentityMatch => ({
  ...{ tie: 'address', proof: 'accounting', asked_at: at, near: false, exact: true, certain: false },
  session: {
    ...{ id: `session-${n}`, started_at: at, ended_at: at, client_mac: 'AA:BB:CC:DD:EE:FF', client_ip: '10.5.50.9' },
    ...{ ipv6: [], user_name: 'guest', upload: 10, download: 20, figures_reported: true },
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
