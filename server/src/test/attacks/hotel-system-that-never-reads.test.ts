import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { fiasConnection } from '@portico/contract/integration-kinds.ts';
import { expect, test } from 'vitest';
import { FiasLine } from '#features/integrations/fias/line.ts';
import { afterFile } from '#test/after-file.ts';
import { readSettings, type Settings } from '../../settings.ts';

/**
 * The attack: a tenant gives the address of a server of its own as its hotel system. It starts the link again and again and
 * reads no answer. The answers would fill the memory of a server that other tenants share.
 */

const settings = readSettings({
  environment: { NODE_ENV: 'test', INTEGRATIONS_INSIDE: '1' },
  folder: tmpdir(),
}) as Settings;

async function startHotel(speak: (socket: Socket) => void): Promise<number> {
  const server = createServer({ pauseOnConnect: true }, socket => {
    socket.on('error', () => socket.destroy());
    afterFile(() => void socket.destroy());
    speak(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  afterFile(() => void server.close());
  return (server.address() as AddressInfo).port;
}

const open = (port: number) =>
  FiasLine.open({ settings }, fiasConnection.parse({ type: 'fias', host: '127.0.0.1', port }), 'Europe/Istanbul');

test('a line that starts for ever ends', async () => {
  const again = Buffer.from('\x02LS|\x03\x02LA|\x03'.repeat(1500), 'latin1');
  const port = await startHotel(socket => void socket.write(again));
  const line = await open(port);
  const all = async () => {
    for await (const record of line.records()) expect(record.type).toBe('LA');
  };
  await expect(all()).rejects.toThrow('LS without end');
});

test('records without end keep no more than the longest record', async () => {
  const port = await startHotel(socket => {
    socket.write(`\x02${'GI'.repeat(2_000_000)}`);
    socket.write('\x02LS|\x03\x02LA|\x03');
  });
  const line = await open(port);
  for await (const record of line.records()) {
    expect(record).toEqual({ type: 'LA', fields: {} });
    break;
  }
});
