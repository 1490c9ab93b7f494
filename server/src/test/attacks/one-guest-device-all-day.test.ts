import { createSocket } from 'node:dgram';
import { attribute } from '@portico/radius/attributes.ts';
import { encodeRequest, integer, text } from '@portico/radius/encode.ts';
import sql from 'sql-template-tag';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeDevice, until } from '#features/logs/testing/fixture.ts';
import { startApi, type TestApi } from '#test/harness.ts';
import { startRadius } from '../../services/radius.ts';

/**
 * The attack: a router reports thousands of sessions of one guest device. They are applied one after another. The reports of
 * all other routers and tenants waited in the same batches, for minutes.
 */
const secret = Buffer.from('a secret of the router');

let api: TestApi;
let radius: Awaited<ReturnType<typeof startRadius>>;
const make = async (nas: string, tenant: string) => {
  const device = await makeDevice(api, { nas, tenant });
  const kept = api.app.secrets.encrypt(secret.toString());
  await api.inTenant(tx => tx.run(sql`update devices set secret = ${kept} where id = ${device.id}`), tenant);
  return device;
};
beforeAll(async () => {
  api = await startApi({ UDP_HOST: '127.0.0.1' });
  await make('flooder001', 'panel');
  await make('quiet00001', 'other');
  const settings = { ...api.app.settings, RADIUS_AUTH_PORT: 0, RADIUS_ACCT_PORT: 0 };
  radius = await startRadius({ ...api.app, settings });
});
afterAll(() => radius?.stop());

/** Sends records with consecutive ids from one socket, and counts the answers. */
async function sender() {
  const socket = createSocket('udp4');
  let answers = 0;
  socket.on('message', () => answers++);
  const first = new Promise<void>(resolve => socket.once('message', () => resolve()));
  await new Promise<void>(resolve => socket.bind(0, '127.0.0.1', resolve));
  let id = 0;
  return {
    answers: () => answers,
    first,
    close: () => socket.close(),
    start: (nas: string, mac: string, session: string) =>
      new Promise<void>(resolve => {
        const attributes = [
          text(attribute['NAS-Identifier'], nas),
          integer(attribute['Acct-Status-Type'], 1),
          text(attribute['Acct-Session-Id'], session),
          text(attribute['Calling-Station-Id'], mac),
        ];
        const packet = encodeRequest({ code: 4, id: id++ % 256, secret, attributes });
        socket.send(packet, radius.acctPort, '127.0.0.1', () => resolve());
      }),
  };
}

test('what another router reports does not wait for the reports of one guest device', async () => {
  const [flooders, quiet] = [await Promise.all([sender(), sender()]), await sender()];
  const total = 400;
  const answered = () => flooders.reduce((sum, one) => sum + one.answers(), 0);
  // Answers are read in turns of 32, so those that were sent before this one are read some turns later.
  const answeredBefore = quiet.first.then(async () => {
    for (let turn = 0; turn < 8; turn += 1) await new Promise(setImmediate);
    return answered();
  });
  // All are sent before the first one is read, because the receiver shares this thread.
  const sending = Array.from({ length: total }, (_, n) => [
    flooders[n % 2]!.start('flooder001', 'A0:00:00:00:00:01', `s${n}`),
    ...(n === total * 0.75 ? [quiet.start('quiet00001', 'A0:00:00:00:00:02', 'q')] : []),
  ]);
  await Promise.all(sending.flat());
  expect(await answeredBefore).toBeLessThan(total / 2);
  // Nothing of the flood is lost.
  await until(() => answered() === total, 60);
  // Two batches that start together may change places. A report after an answer comes after what was answered.
  await flooders[0]!.start('flooder001', 'A0:00:00:00:00:01', 'last');
  await until(() => answered() === total + 1);
  const online = await api.inTenant(tx =>
    tx.many<{ id: string }>(sql`select acct_session_id as id from online_sessions`),
  );
  expect(online).toEqual([{ id: 'last' }]);
  for (const one of [...flooders, quiet]) one.close();
});
