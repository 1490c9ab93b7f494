import * as queries from './counts.queries.ts';
import type { LogStore } from './log-store.ts';

/** Counts in the product's own database. */
export const postgresStore: LogStore = {
  add: queries.addCounts,
  minutes: ({ inTenant, deviceId }, from, to) => inTenant(tx => queries.minutesBetween(tx, deviceId, from, to)),
  hours: ({ inTenant, deviceId }, from, to) => inTenant(tx => queries.hoursBetween(tx, deviceId, from, to)),
  tops: ({ inTenant, deviceId }, kind, period) => inTenant(tx => queries.listTops(tx, deviceId, kind, period)),
};
