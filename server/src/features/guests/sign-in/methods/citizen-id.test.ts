import sql from 'sql-template-tag';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { holdBlocks } from '#features/throttle/testing/hold-blocks.ts';
import { startRegistry } from '../../testing/registry.ts';
import { newGuestEachTest, startVenue, stateOf, type Venue } from '../../testing/venue.ts';

let venue: Venue;
let registry: Awaited<ReturnType<typeof startRegistry>>;
beforeAll(async () => {
  registry = await startRegistry();
  venue = await startVenue({ NVI_URL: registry.url });
}, 120_000);
newGuestEachTest(() => venue);
beforeEach(() => {
  registry.asked.length = 0;
});

/** A valid identity number for each `n`. */
function citizen(n: number): string {
  const nine = [...String(100_000_000 + n)].map(Number);
  const sum = (digits: number[]) => digits.reduce((a, b) => a + b, 0);
  const odd = sum(nine.filter((_, i) => i % 2 === 0));
  const tenth = (odd * 7 - sum(nine.filter((_, i) => i % 2 === 1)) + 100) % 10;
  return [...nine, tenth, (sum(nine) + tenth) % 10].join('');
}

const operatorMakes = (number: string, more: object = {}) =>
  venue.create('panel/client', {
    name: 'Işıl Çınar',
    provider_type: 'citizen-id',
    provider_id: number,
    birth_day: 5,
    birth_month: 3,
    birth_year: 1990,
    location_id: venue.location,
    ...more,
  });
const sign = (fields: Record<string, string>, headers: Record<string, string> = {}) =>
  venue.submit({ method: 'citizen-id', ...fields }, headers);
const isil = { first_name: ' ışıl', last_name: 'çınar ', birth_date: '1990-03-05' };

describe('a guest with an identity number', () => {
  test('on the visitor list signs in with the number alone if the portal asks for no more', async () => {
    await venue.offer({ slug: 'citizen-id', options: { method: 'only_citizen_id' } });
    await operatorMakes(citizen(1));
    const page = await venue.captive.get(venue.arrival());
    expect(page.html).toContain('name="citizen_id"');
    expect(page.html).not.toContain('name="first_name"');
    const answer = await sign({ citizen_id: ` ${citizen(1).replace(/(...)/, '$1 ')}` });
    expect(answer.status, answer.html).toBe(303);
    const ticket = new URL(answer.headers.get('location')!).searchParams.get('username')!;
    const decision = await venue.routerAccepts(ticket);
    expect([decision.outcome]).toEqual(['accept']);
    const arabic = citizen(1).replace(/\d/g, digit => String.fromCharCode(0x660 + Number(digit)));
    expect((await sign({ citizen_id: arabic })).status).toBe(303);
  });

  test('sees what is wrong; callers with `view-clients` read what was typed', async () => {
    await venue.offer({ slug: 'citizen-id', options: { method: 'only_citizen_id' } });
    const typo = await sign({ citizen_id: `${citizen(1).slice(0, 10)}${(Number(citizen(1)[10]) + 1) % 10}` });
    expect([typo.status, typo.html.includes('This is not a citizen ID number')]).toEqual([422, true]);
    expect(typo.html).toMatch(/name="citizen_id"[^>]*value="\d{11}"|value="\d{11}"[^>]*name="citizen_id"/);
    expect((await sign({ citizen_id: '' })).html).toContain('Something is missing');
    const stranger = await sign({ citizen_id: citizen(2) });
    expect([stranger.status, stranger.html.includes('These details do not match')]).toEqual([422, true]);
    const attempts = await venue.failures();
    expect(attempts.map(it => [it.provider_slug, it.reason])).toEqual([
      ['citizen-id', 'wrong_details'],
      ['citizen-id', 'bad_citizen_id'],
    ]);
    expect(attempts[0].params).toEqual({ citizen_id: citizen(2) });
    const clerk = await venue.api.user('member', { location: venue.location, permissions: ['view-basic-stats'] });
    const list = await venue.api.get(`panel/failed-login?mac=${venue.mac}`, { token: clerk.token });
    expect(list.body.data[0].attempts[0].params).toEqual({ citizen_id: '••••••••' });
    const stored = await venue.rows(sql`select params from failed_logins where client_mac = ${venue.mac}::macaddr`);
    expect(JSON.stringify(stored), 'stored encrypted').not.toContain(citizen(2));
    for (const [language, says] of [
      ['tr', 'Bilgiler eşleşmiyor'],
      ['de', 'Diese Angaben stimmen nicht überein'],
      ['ru', 'Данные не совпадают'],
      ['ar', 'البيانات غير متطابقة'],
    ] as const) {
      venue.newMac();
      const answer = await sign({ citizen_id: citizen(2), lang: language });
      expect(answer.html).toContain(says);
      expect(answer.html).toContain(`<html lang="${language}"`);
    }
  });

  test('has to enter name and birth date as well if the portal asks for both', async () => {
    await venue.offer({ slug: 'citizen-id', options: { method: 'both' } });
    await operatorMakes(citizen(3));
    const citizen_id = citizen(3);
    expect((await sign({ citizen_id, ...isil })).status).toBe(303);
    expect((await sign({ citizen_id, ...isil, birth_date: '5.3.1990' })).status).toBe(303);
    for (const more of [{ first_name: 'Isil' }, { last_name: 'x' }, { birth_date: '1990-03-06' }])
      expect((await sign({ citizen_id, ...isil, ...more })).html).toContain('These details do not match');
    expect((await sign({ citizen_id, ...isil, birth_date: '31.02.1990' })).html).toContain('This is not a date');
    expect((await sign({ citizen_id, ...isil, last_name: '' })).html).toContain('Something is missing');
    // The portal decides about the method's options, not the form.
    expect((await sign({ citizen_id })).status).toBe(422);
    const [last] = await venue.failures();
    expect(last.params).toEqual({
      citizen_id,
      first_name: isil.first_name.trim(),
      last_name: isil.last_name.trim(),
      birth_date: '1990-03-06',
    });
    expect(registry.asked).toEqual([]);
  });

  test('sees why it is refused once it is verified', async () => {
    await venue.offer({ slug: 'citizen-id', options: { method: 'only_citizen_id' } });
    await operatorMakes(citizen(4), { session_end_at: '2020-01-01T00:00:00Z' });
    expect((await sign({ citizen_id: citizen(4) })).html).toContain('Your access has ended');
    await operatorMakes(citizen(5), { session_start_at: '2099-01-01T00:00:00Z' });
    expect((await sign({ citizen_id: citizen(5) })).html).toContain('Your access has not begun yet');
    await operatorMakes(citizen(6), { special_profile: true, shared_user: 1 });
    const first = await sign({ citizen_id: citizen(6) });
    await venue.routerAccepts(new URL(first.headers.get('location')!).searchParams.get('username')!);
    venue.newMac();
    expect((await sign({ citizen_id: citizen(6) })).html).toContain('Too many devices');
  });

  test('becomes a visitor when the national registry confirms it', async () => {
    await venue.offer({ slug: 'citizen-id', options: { provider_type: 'nvi', method: 'only_citizen_id' } });
    registry.people.add(`${citizen(7)}|IŞIL|ÇINAR|1990`);
    const signed = await sign({ citizen_id: citizen(7), ...isil });
    expect(signed.status, signed.html).toBe(303);
    expect(registry.asked).toHaveLength(1);
    const list = await venue.api.get('panel/client?search=IŞIL ÇINAR', { token: venue.admin });
    expect(list.body.data[0]).toMatchObject({ provider_type: 'citizen-id', provider_id: citizen(7) });
    // A returning guest is known already; with other details the registry is asked again.
    expect((await sign({ citizen_id: citizen(7), ...isil })).status).toBe(303);
    expect(registry.asked).toHaveLength(1);
    expect((await sign({ citizen_id: citizen(7), ...isil, birth_date: '1991-03-05' })).status).toBe(422);
    expect((await sign({ citizen_id: citizen(8), ...isil })).html).toContain('These details do not match');
    expect(registry.asked).toHaveLength(3);
    // Simultaneous requests create one visitor.
    registry.people.add(`${citizen(9)}|IŞIL|ÇINAR|1990`);
    const both = await Promise.all([
      sign({ citizen_id: citizen(9), ...isil }),
      sign({ citizen_id: citizen(9), ...isil }),
    ]);
    expect(both.map(it => it.status)).toEqual([303, 303]);
  });

  test('is refused while the registry does not answer, without counting as a guess', async () => {
    await venue.offer({ slug: 'citizen-id', options: { provider_type: 'nvi' } });
    for (const how of ['silent', 'broken', 'elsewhere'] as const) {
      registry.be(how);
      for (let i = 0; i < 4; i++) {
        const answer = await sign({ citizen_id: citizen(10), ...isil });
        expect([answer.status, answer.html.includes('can’t be checked right now')]).toEqual([422, true]);
      }
    }
    registry.be('no');
  });

  test('cannot attack the registry or the page through its input', async () => {
    await venue.offer({ slug: 'citizen-id', options: { provider_type: 'nvi' } });
    registry.people.add(`${citizen(11)}|A|B|1990`);
    const before = registry.asked.length;
    const inject = {
      first_name: 'A</Ad><Soyad>B</Soyad><!--',
      last_name: `"><script>alert(1)</script>`,
      birth_date: isil.birth_date,
    };
    const answer = await sign({ citizen_id: citizen(11), ...inject });
    expect(answer.status).toBe(422);
    expect(answer.html).not.toContain('<script>alert');
    expect(registry.asked[before]).toContain('<Ad>A&lt;/AD&gt;&lt;SOYAD&gt;');
    expect((await sign({ citizen_id: 'x'.repeat(9000), ...isil })).status).toBe(422);
    expect((await sign({ citizen_id: 'a\0b', ...isil })).status).toBe(400);
    // Guessing numbers is throttled like guessing passwords.
    await venue.offer({ slug: 'citizen-id', options: { method: 'only_citizen_id' } });
    const state = stateOf((await venue.captive.get(venue.arrival())).html);
    const statuses: number[] = [];
    for (let i = 0; i < 10; i++) {
      if (i === 9) await holdBlocks(venue.api.app);
      const tried = { state, method: 'citizen-id', citizen_id: citizen(20 + i) };
      statuses.push((await venue.captive.form(venue.signInAt, tried)).status);
    }
    expect(statuses.at(-1)).toBe(429);
  });
});

test('the registry’s method is not offered without the registry’s address', async () => {
  const other = await startVenue();
  other.newMac();
  await other.offer({ slug: 'citizen-id', options: { provider_type: 'nvi' } }, { slug: 'username' });
  const page = await other.captive.get(other.arrival());
  expect(page.html).not.toContain('name="citizen_id"');
  const forced = { state: stateOf(page.html), method: 'citizen-id', citizen_id: citizen(1), ...isil };
  expect((await other.captive.form(other.signInAt, forced)).status).toBe(400);
}, 120_000);
