// The product's raw file alone: prepared lines, stored as the syslog service stores them, in its own process.

import { createRawStore } from '../../server/src/syslog/raw-store.ts';
import { formatRecord } from '../../server/src/syslog/record.ts';
import { linesOf } from './log-lines.ts';

export interface RawRun {
  readonly lines: number;
  readonly lost: number;
  readonly seconds: number;
  readonly cpuSeconds: number;
}

const [folder = '', devices = '400', total = '2000000'] = process.argv.slice(2);
const nas = Array.from({ length: Number(devices) }, (_, i) => `raw${String(i).padStart(7, '0')}`);
const made = linesOf(nas).map(line => line.toString('latin1'));
const store = createRawStore({
  folder,
  minPosition: () => 0,
  failed: (where, error) => {
    throw new Error(where, { cause: error });
  },
});
const cpu = process.cpuUsage();
const began = performance.now();
let lost = 0;
for (let n = 0; n < Number(total); n++) {
  const line = made[n % made.length]!;
  const device = { tenantId: 'bench', deviceId: nas[n % nas.length]! };
  if (store.take(device, formatRecord({ at: Date.now(), source: '127.0.0.1', line })) !== 'kept') lost++;
  // Yields after each batch, as sockets do.
  if (n % 2000 === 1999) await new Promise(resolve => setImmediate(resolve));
  while (store.overloaded()) await new Promise(resolve => setTimeout(resolve, 5));
}
await store.close();
const { user, system } = process.cpuUsage(cpu);
const run: RawRun = {
  lines: Number(total) - lost,
  lost,
  seconds: (performance.now() - began) / 1000,
  cpuSeconds: (user + system) / 1_000_000,
};
process.send!(run);
process.disconnect();
