import { execFileSync } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { kernelDrops } from '#lib/kernel-drops.ts';
import { openUdpListener } from './udp-listener.ts';

const others = 64;
const each = 20;
const until = async (isSo: () => boolean): Promise<void> => {
  for (let i = 0; !isSo(); i++) {
    if (i > 1000) throw new Error('Timed out');
    await new Promise(resolve => setTimeout(resolve, 10));
  }
};

test.runIf(process.platform === 'linux')(
  'a flood from one sender drops its own lines only, and the drops are counted',
  async () => {
    const received = { busy: 0, others: 0 };
    const failures: unknown[] = [];
    const listener = await openUdpListener({
      host: '127.0.0.1',
      port: 0,
      receive: message => {
        received[message.toString('latin1', 0, 4) === 'busy' ? 'busy' : 'others'] += 1;
      },
      failed: error => failures.push(error),
    });
    const socket = createSocket('udp4');
    socket.bind(0, '127.0.0.1');
    await once(socket, 'listening');
    const { port } = socket.address();
    let sent = 0;
    expect(listener.busySenders()).toBe(0);
    while (listener.busySenders() === 0) {
      for (let i = 0; i < 200; i++) socket.send('busy', listener.port, '127.0.0.1');
      sent += 200;
      expect(sent, 'a busy sender gets a dedicated socket').toBeLessThan(200_000);
      await until(() => received.busy === sent);
    }
    await new Promise<void>(resolve => socket.close(() => resolve()));
    // This thread blocks on the child, so the kernel's buffers fill up.
    const flood = 60_000;
    const script = fileURLToPath(new URL('./testing/flood.ts', import.meta.url));
    execFileSync(process.execPath, [script, ...[listener.port, port, flood, others, each].map(String)], {
      stdio: 'inherit',
    });
    await until(() => received.others === others * each);
    const dropped = (await kernelDrops(listener.port)) ?? 0;
    expect(dropped, 'more than a buffer holds').toBeGreaterThan(0);
    await until(() => received.busy === sent + flood - dropped);
    expect(failures).toEqual([]);
    await listener.close();
  },
);
