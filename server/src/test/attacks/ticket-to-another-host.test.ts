import sql from 'sql-template-tag';
import { beforeAll, describe, expect, test } from 'vitest';
import { newGuestEachTest, startVenue, type Venue } from '#features/guests/testing/venue.ts';

/*
 * A stranger at the venue sends a guest a link to the portal whose return address is the stranger's own device. The guest would
 * take a ticket there. The operator never entered the router's address.
 */
let venue: Venue;
beforeAll(async () => {
  venue = await startVenue();
  await venue.run(sql`update devices set hotspot_address = null where id = ${venue.device.id}`);
}, 120_000);
newGuestEachTest(() => venue);

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

describe('a return address that the router never used', () => {
  test('is refused a day after the first ticket was redeemed', async () => {
    const username = await venue.visitor();
    const answer = await venue.submit({ username, password: 'parola 1' });
    const back = new URL(answer.headers.get('location')!);
    expect(await learned(), 'a ticket that is not redeemed teaches nothing').toEqual([]);
    expect((await venue.routerAccepts(back.searchParams.get('username')!)).outcome).toBe('accept');
    expect(await learned()).toEqual([back.hostname]);

    expect((await arriveWith('http://10.66.6.6/login')).status, 'other hotspots of the router are learned').toBe(200);
    await venue.run(sql`update devices set login_hosts_at = now() - interval '25 hours' where id = ${venue.device.id}`);
    const stranger = await arriveWith('http://10.66.6.6/login');
    expect(stranger.html).toContain('can’t be trusted');
    expect(stranger.status).toBe(400);
    expect((await arriveWith(`http://${back.hostname}/login`)).status).toBe(200);
  });
});
