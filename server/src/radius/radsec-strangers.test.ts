import { connect } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { callerNetwork } from '#lib/caller-network.ts';
import { certificatePem, issue, makeAuthority } from '#lib/certificates.ts';
import { startFixture } from './fixture.ts';

vi.mock('#lib/caller-network.ts', { spy: true });

test('a connection costs the same however many strangers hold one', async () => {
  const authority = await makeAuthority('Tests');
  const server = await issue(authority, {
    purpose: 'server',
    organization: 'T',
    commonName: 'localhost',
    hosts: ['127.0.0.1'],
    until: new Date(Date.now() + 86_400_000),
  });
  const fixture = await startFixture(
    {},
    {
      radsec: {
        port: 0,
        cert: certificatePem(server.certificate),
        key: server.privateKey,
        authority: certificatePem(authority.certificate),
        maxConnections: 20,
        maxPerAddress: 15,
      },
    },
  );
  const port = fixture.listener.radsecPort ?? 0;
  const strangers = Array.from({ length: 40 }, (_, n) =>
    connect({ port, host: '127.0.0.1', localAddress: `127.0.0.${2 + (n % 2)}` })
      .on('error', () => undefined)
      .resume(),
  );
  onTestFinished(async () => {
    for (const one of strangers) one.destroy();
    await fixture.close();
  });
  await expect.poll(() => fixture.counted('radsec_refused_total', { reason: 'pushed_out' })).toBe(20);
  // Once for each connection, and not again for those that are open.
  expect(callerNetwork).toHaveBeenCalledTimes(40);
});
