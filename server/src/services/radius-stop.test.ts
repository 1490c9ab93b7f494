import { acctStatusType, attribute, code } from '@portico/radius/attributes.ts';
import { openClient } from '@portico/radius/client.ts';
import { integer, text } from '@portico/radius/encode.ts';
import sql from 'sql-template-tag';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startRadiusVenue } from '../test/radius-venue.ts';

test('a stop stores and announces what was collected, so that nothing asks the database after it is closed', async () => {
  // What looks at the database every half minute would count too.
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const { api, radius, addDevice } = await startRadiusVenue();
  const device = await addDevice();
  const router = openClient({
    ...{ host: '127.0.0.1', port: radius.acctPort, secret: Buffer.from(device.secret), timeoutMs: 2000 },
  });
  const topics: string[] = [];
  api.app.changes.subscribe(({ topic }) => topics.push(topic));
  let statements = 0;
  const { pool } = api.app.db;
  pool.on('acquire', () => statements++);

  const started = [
    text(attribute['NAS-Identifier'], device.nas_identifier),
    text(attribute['User-Name'], 'ayse'),
    text(attribute['Calling-Station-Id'], '02-00-00-00-00-31'),
    integer(attribute['Acct-Status-Type'], acctStatusType.Start),
    text(attribute['Acct-Session-Id'], 'stopped-1'),
  ];
  expect(await router.send({ code: code['Accounting-Request'], attributes: started })).toBeTruthy();
  await radius.stop();
  router.close();
  const atStop = statements;

  const stored = await api.app.db.withSystem(tx =>
    tx.one(sql`select acct_seen_at is not null as seen from devices where id = ${device.id}`),
  );
  expect(stored).toEqual({ seen: true });
  await expect.poll(() => topics).toContain('sessions');
  // The query above; a batch that came late would be another one.
  expect(statements).toBe(atStop + 1);
});
