import path from 'node:path';
import type { TestApi } from '#test/harness.ts';
import { registeredHeads, verifyLogs } from '../logs.cli.ts';
import { logJobs } from '../logs.jobs.ts';
import { feed, line, makeDevice } from './fixture.ts';

/** Lines of a day in March 2026, one per second. */
export const day = (n: number, more: readonly string[]) =>
  more.map((text, i) => ({ at: `2026-03-${String(n).padStart(2, '0')}T09:00:0${i}.000Z`, line: text }));

/** Helpers for the legal record: its jobs, its verification, and devices with sealed days. */
export function legalRecord(api: () => TestApi) {
  const job = (name: string) => logJobs.find(one => one.name === name)!.run(api().app);
  let names = 0;
  return {
    job,
    folderOf: (device: { id: string; tenantId: string }) =>
      path.join(api().app.settings.DATA_DIR, 'logs', device.tenantId, device.id),
    async verify(options: { offline?: boolean; unsigned?: boolean } = {}): Promise<{ code: number; lines: string[] }> {
      const { app } = api();
      const lines: string[] = [];
      const code = await verifyLogs({
        dataDir: app.settings.DATA_DIR,
        sign: options.unsigned ? undefined : app.secrets.sign,
        heads: options.offline ? undefined : await registeredHeads(app),
        print: text => lines.push(text),
      });
      return { code, lines };
    },
    async seal(): Promise<void> {
      await job('seal log files');
      await job('stamp log files');
    },
    async sealedDevice(site = 'example.org') {
      const device = await makeDevice(api(), { nas: `seal${String(++names).padStart(4, '0')}` });
      await feed(api(), device, [
        ...day(10, [line.firewall(), line.dhcp(), line.proxy(site), 'what is this']),
        ...day(11, [line.firewall(), line.firewall()]),
      ]);
      await this.seal();
      return device;
    },
  };
}
