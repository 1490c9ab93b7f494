import type { App } from '#lib/app.ts';
import { applyAccounting } from './sign-in.queries.ts';

/** A session that has ended. */
export interface PastVisit {
  readonly deviceId: string;
  readonly username: string;
  readonly mac: string;
  readonly ip: string;
  readonly sessionId: string;
  readonly startedAt: Date;
  readonly seconds: number;
  readonly upload: number;
  readonly download: number;
}

/** Records past sessions through accounting: sample data, and records imported from another system. */
export async function recordPast(app: App, tenantId: string, visits: readonly PastVisit[]): Promise<void> {
  const stops = visits.map(it => ({
    tenant: tenantId,
    device: it.deviceId,
    status: 'stop',
    at: new Date(it.startedAt.getTime() + it.seconds * 1000),
    session: it.sessionId,
    user_name: it.username,
    mac: it.mac,
    ip: it.ip,
    seconds: it.seconds,
    upload: it.upload,
    download: it.download,
    cause: 'User-Request',
  }));
  for (let i = 0; i < stops.length; i += 500) {
    const part = stops.slice(i, i + 500);
    await app.db.withSystem(tx => applyAccounting(tx, part));
  }
}
