/* The log listener as a separate process, which a test kills while it works. Arguments: folder. */
import { startIntake } from '../intake.ts';
import { createRawStore } from '../raw-store.ts';
import { createSenders } from '../senders.ts';

const device = { tenantId: 'tenant', deviceId: 'device' };
const failed = (where: string, error: unknown): void => {
  throw new Error(where, { cause: error });
};
const senders = createSenders();
senders.replace([
  {
    ...device,
    locationId: 'location',
    nasIdentifier: 'killme01',
    sources: [{ address: '127.0.0.1', prefix: 32, proof: 'radius' }],
    serial: null,
    brand: 'mikrotik',
    timeZone: 'UTC',
    loggingEnabled: true,
  },
]);
const store = createRawStore({
  folder: process.argv[2] as string,
  minPosition: () => 0,
  failed,
  segmentBytes: 200_000,
});
const log = store.logOf(device);
await log.find();
const intake = await startIntake({
  host: '127.0.0.1',
  port: 0,
  senders,
  store,
  unknown: () => undefined,
  quarantine: (_, line) => failed('quarantine', line),
  count: () => undefined,
  dropped: (_, reason) => failed(reason, undefined),
  failed,
  linesPerSecond: 1_000_000,
});
process.send?.({ port: intake.port });
setInterval(() => process.send?.({ written: log.written(), synced: log.synced() }), 5);
