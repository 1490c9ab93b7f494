import { attribute } from '@portico/radius/attributes.ts';
import { encodeRequest, integer, text } from '@portico/radius/encode.ts';
import { afterEach, expect, test } from 'vitest';
import { type Fixture, fixtureSecret, startFixture } from '../../radius/fixture.ts';

/**
 * The attack: guests send packets to the RADIUS ports. They have the address of their router, and its identifier stands in the
 * address of each portal. Their packets use up the limit of the address, and no guest can sign in.
 */

let fixture: Fixture;
afterEach(() => fixture?.close());

const nas = text(attribute['NAS-Identifier'], 'nas00001');
const report = (id: number, secret: Buffer) =>
  encodeRequest({
    ...{ code: 4, id, secret },
    attributes: [nas, integer(attribute['Acct-Status-Type'], 3), text(attribute['Acct-Session-Id'], `s${id}`)],
  });
const many = (count: number, secret: Buffer) => Array.from({ length: count }, (_, id) => report(id, secret));

const perSecond = 10;
const start = async () => {
  fixture = await startFixture({}, { packetsPerSecond: perSecond, deviceFreshMs: 60_000 });
  // The router was heard before.
  expect(await fixture.raw('acct', [report(200, fixtureSecret)])).toHaveLength(1);
};

test('the router is heard among packets of its guests', async () => {
  await start();
  await fixture.raw('acct', many(4 * perSecond, Buffer.from('guessed')), 10);
  expect(await fixture.raw('acct', many(8, fixtureSecret))).toHaveLength(8);
});

test('what the router itself sends is limited, and packets of the guests are not all looked at', async () => {
  await start();
  const sent = 20 * perSecond;
  await fixture.raw('acct', many(sent, fixtureSecret));
  expect(fixture.records.length).toBeLessThan(sent / 2);
  await fixture.raw('acct', many(sent, Buffer.from('guessed')));
  expect(fixture.counted('radius_dropped_total', { reason: 'flood' })).toBeGreaterThan(sent);
  expect(fixture.counted('radius_dropped_total', { reason: 'wrong_authenticator' })).toBeLessThan(sent / 2);
});
