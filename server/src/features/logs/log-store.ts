import type { Tx } from '#db/tenant.ts';
import type { Context } from '#http/call.ts';
import type { App } from '#lib/app.ts';
import type { LocalHour } from './local-day.ts';
import type { DeviceTally, TopKind } from './tally.ts';

/** The counts of one device: lines, and the sites and applications of its guests. */
export type DeviceCounts = Pick<DeviceTally, 'tenantId' | 'deviceId' | 'tops'> & Partial<Pick<DeviceTally, 'hours'>>;

/** The device whose counts are read. The caller has checked the permission. */
export interface CountedDevice {
  readonly inTenant: Context['inTenant'];
  readonly tenantId: string;
  readonly deviceId: string;
}

export interface TopRow {
  domain: string;
  recv: number;
  sent: number;
  total: number;
  connections: number;
}

/** The store of the counts of log lines. */
export interface LogStore {
  /** Adds counts in the transaction that moves the streams, so that no line is counted twice. Runs under withSystem. */
  add(tx: Tx, counted: readonly DeviceCounts[]): Promise<void>;
  /** Lines per minute in the order of time. Each list begins with the first minute of its `hour`. */
  minutes(of: CountedDevice, from: Date, to: Date): Promise<{ hour: number; minutes: number[] }[]>;
  hours(of: CountedDevice, from: Date, to: Date): Promise<{ hour: number; lines: number }[]>;
  tops(of: CountedDevice, kind: TopKind, period: { from: LocalHour; to: LocalHour }): Promise<TopRow[]>;
  /** Sends counts that wait in the outbox. */
  send?(app: App): Promise<void>;
}
