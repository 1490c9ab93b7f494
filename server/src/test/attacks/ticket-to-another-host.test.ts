import sql from 'sql-template-tag';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newGuestEachTest, startVenue, type Venue } from '#features/guests/testing/venue.ts';
import type { Body } from '#test/harness.ts';

/*
 * A stranger at the venue sends a guest a link to the portal whose return address is the stranger's own device. The guest would
 * take a ticket there. The operator never entered the router's address.
 */
let venue: Venue;
beforeAll(async () => {
  venue = await startVenue();
}, 120_000);
newGuestEachTest(() => venue);
/** The router is one that has sent no guest yet. */
beforeEach(async () => {
  const isNew = sql`hotspot_address = null, login_hosts = '{}', login_hosts_at = null`;
  await venue.run(sql`update devices set ${isNew} where id = ${venue.device.id}`);
  await venue.run(sql`delete from refused_login_hosts`);
  await venue.run(sql`delete from notifications`);
});

const arriveWith = (login: string) => {
  const address = venue.arrival();
  return venue.captive.get(address.replace(/login=[^&]*/, `login=${encodeURIComponent(login)}`));
};
const learned = async () => {
  const result = await venue.api.inTenant(tx =>
    tx.one<{ hosts: string[] }>(sql`select login_hosts as hosts from devices where id = ${venue.device.id}`),
  );
  return result.hosts;
};
const dayLater = () =>
  venue.run(sql`update devices set login_hosts_at = now() - interval '25 hours' where id = ${venue.device.id}`);
/** Signs in, and returns the guest's ticket and the host that it is sent to. */
const signInOn = async (page: Awaited<ReturnType<typeof arriveWith>>) => {
  const answer = await venue.submitOn(page, { username: await venue.visitor(), password: 'parola 1' });
  const back = new URL(answer.headers.get('location')!);
  return { ticket: back.searchParams.get('username')!, host: back.hostname };
};
const redeem = async (ticket: string) => expect((await venue.routerAccepts(ticket)).outcome).toBe('accept');
/** The router learned its own host more than a day ago. */
const settle = async () => {
  await redeem((await signInOn(await venue.captive.get(venue.arrival()))).ticket);
  await dayLater();
};

describe('a return address that the router never used', () => {
  test('is refused a day after the first ticket was redeemed', async () => {
    const first = await signInOn(await venue.captive.get(venue.arrival()));
    expect(await learned(), 'a ticket that is not redeemed teaches nothing').toEqual([]);
    await redeem(first.ticket);
    expect(await learned()).toEqual([first.host]);

    const early = await arriveWith('http://10.66.6.6/login');
    expect(early.status, 'other hotspots of the router are learned').toBe(200);
    const { ticket } = await signInOn(early);
    await dayLater();
    await redeem(ticket);
    expect(await learned(), 'a ticket of before is redeemed too late to teach its host').toEqual([first.host]);
    const stranger = await arriveWith('http://10.66.6.6/login');
    expect(stranger.html).toContain('can’t be trusted');
    expect(stranger.status).toBe(400);
    expect((await arriveWith(`http://${first.host}/login`)).status).toBe(200);
  });

  test('is shown to the operator, who accepts a further hotspot of the device with one button', async () => {
    const at = `panel/device/${venue.device.id}`;
    const token = venue.admin;
    await settle();
    expect((await arriveWith('http://10.67.7.7/login')).status).toBe(400);
    const unused = async () =>
      (await venue.api.post(`${at}/doctor`, { token })).body.data.filter((it: Body) => it.name === 'login_host');
    expect(await unused()).toMatchObject([{ state: 'failed', reason: 'unused', address: '10.67.7.7' }]);
    const second = 'http://10.60.0.1/login';
    expect((await arriveWith(second)).status).toBe(400);
    for (const host of ['8.8.8.8', 'evil.example'])
      expect((await arriveWith(`http://${host}/login`)).status, host).toBe(400);
    const notices = (await venue.api.get('panel/notification', { token })).body.data;
    expect(notices.map((it: Body) => it.kind)).toEqual(['login_host_refused']);
    expect(notices[0].body).toContain('10.67.7.7');
    const refused = await venue.api.inTenant(tx => tx.many(sql`select host from refused_login_hosts order by host`));
    expect(refused, 'hosts outside the venue are no hotspots').toEqual([{ host: '10.60.0.1' }, { host: '10.67.7.7' }]);
    const accept = (host: string, as = token) => venue.api.post(`${at}/login-hosts`, { token: as, body: { host } });
    for (const host of ['8.8.8.8', 'evil.example', 'http://10.60.0.1', ''])
      expect((await accept(host)).body.errors, host).toHaveProperty('host');
    expect((await accept('10.60.0.1')).status).toBe(204);
    expect((await arriveWith(second)).status).toBe(200);
    expect((await arriveWith('http://10.67.7.7/login')).status).toBe(400);
    for (let n = 0; n < 6; n += 1) expect((await accept(`10.61.0.${n}`)).status).toBe(204);
    expect((await accept('10.61.0.9')).body.errors).toHaveProperty('host');

    await venue.run(sql`update devices set login_hosts_at = now() where id = ${venue.device.id}`);
    const full = await learned();
    const page = await arriveWith('http://10.62.0.1/login');
    await redeem((await signInOn(page)).ticket);
    expect(await learned(), 'a full list learns no more').toEqual(full);
  });

  test('fills neither the memory nor the list of the operator', async () => {
    await settle();
    for (let n = 0; n < 40; n += 1) expect((await arriveWith(`http://10.77.0.${n}/login`)).status).toBe(400);
    const { n } = await venue.api.inTenant(tx =>
      tx.one<{ n: number }>(sql`select count(*)::int as n from refused_login_hosts`),
    );
    expect(n).toBe(20);
    const notices = (await venue.api.get('panel/notification', { token: venue.admin })).body.data;
    expect(notices).toHaveLength(1);
  });
});
