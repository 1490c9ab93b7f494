import { attribute } from '@portico/radius/attributes.ts';
import { encodeRequest, integer, text } from '@portico/radius/encode.ts';
import { afterEach, expect, test } from 'vitest';
import { type Fixture, fixtureSecret, startFixture } from '../../radius/fixture.ts';

/**
 * The attack: a tenant adds routers until they fill the queue of RADIUS requests. The routers of other tenants get no answer.
 */

let fixture: Fixture;
afterEach(() => fixture?.close());

const report = (nas: string, id: number, secret: Buffer) =>
  encodeRequest({
    ...{ code: 4, id, secret },
    attributes: [
      text(attribute['NAS-Identifier'], nas),
      integer(attribute['Acct-Status-Type'], 1),
      text(attribute['Acct-Session-Id'], `${nas} ${id}`),
    ],
  });

test('a tenant with many routers leaves room for those of others, and they do not wait for all of it', async () => {
  const gate = Promise.withResolvers<void>();
  const batches: string[][] = [];
  fixture = await startFixture(
    {
      account: async batch => {
        batches.push(batch.map(it => it.device.tenantId));
        await gate.promise;
      },
    },
    { batchSize: 10, batchesInFlight: 1, queueCapacity: 80 },
  );
  const routers = Array.from({ length: 6 }, (_, n) => `greedy0${n}`);
  for (const id of routers)
    fixture.devices.set(id, { id, tenantId: 't1', secret: fixtureSecret, requireMessageAuthenticator: false });
  await fixture.raw(
    'acct',
    routers.flatMap(nas => Array.from({ length: 30 }, (_, id) => report(nas, id, fixtureSecret))),
  );
  const dropped = () => fixture.counted('radius_dropped_total', { reason: 'queue_full' });
  // Each of the 180 has been dropped, waits, or is in the first batch.
  const settled = () => dropped() + fixture.listener.stats().acctWaiting + batches.flat().length;
  await expect.poll(settled).toBe(180);
  const before = dropped();
  const other = Buffer.from('another');
  const replies = fixture.raw('acct', [report('nas00002', 1, other), report('nas00002', 2, other)], 500);
  await expect.poll(() => fixture.listener.stats().acctWaiting).toBe(62);
  gate.resolve();
  expect(await replies).toHaveLength(2);
  expect(dropped()).toBe(before);
  expect(batches[1]!.filter(it => it === 't2')).toHaveLength(2);
});
