/*
 * The log listener as a separate process that shares a folder with others. Arguments: folder, and the milliseconds without a
 * heartbeat after which an owner has ended.
 */
import { startIntake } from '../intake.ts';
import { openLogFolder } from '../log-folder.ts';
import { createSenders } from '../senders.ts';

const [folder = '', staleMs = '1000'] = process.argv.slice(2);
const failed = (where: string, error: unknown): void => {
  throw new Error(where, { cause: error });
};
const senders = createSenders();
senders.replace([
  {
    ...{ tenantId: 'tenant', deviceId: 'device', locationId: 'location', nasIdentifier: 'shared01' },
    ...{ sources: [{ address: '127.0.0.1', prefix: 32, proof: 'radius' }], brand: 'mikrotik', serial: null },
    ...{ timeZone: 'UTC', loggingEnabled: true },
  },
]);
const logs = await openLogFolder({
  ...{ folder, minPosition: () => 0, failed, segmentBytes: 20_000 },
  ...{ heartbeatMs: 50, staleMs: Number(staleMs) },
});
const intake = await startIntake({
  ...{ host: '127.0.0.1', port: 0, senders, store: logs, failed, linesPerSecond: 1_000_000 },
  unknown: () => undefined,
  quarantine: (_, line) => failed('quarantine', line),
  count: () => undefined,
  dropped: (_, reason) => failed(reason, undefined),
});
process.send?.({ port: intake.port, owner: logs.isOwner() });
process.on('message', () => {
  void intake
    .close()
    .then(logs.close)
    .then(() => process.exit(0));
});
