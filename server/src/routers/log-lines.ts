import { drivers, findDriver } from './drivers.ts';
import { type Connection, type Lease, type LogFacts, other } from './log-line.ts';

/** Brands may share a reader. */
const readers = [...new Set(drivers.map(driver => driver.logs))];

/** Reads a line of a brand. If the brand is unknown because the device was deleted, the first driver that knows the line wins. */
export function parseLogLine(brand: string | undefined, message: string): LogFacts {
  const driver = brand === undefined ? undefined : findDriver(brand);
  if (driver) return driver.logs.parse(message);
  for (const logs of readers) {
    const facts = logs.parse(message);
    if (facts.type !== 'other') return facts;
  }
  return other;
}

/** The connection that a firewall line of any brand reports. */
export function readConnection(message: string): Connection | undefined {
  for (const logs of readers) {
    const connection = logs.readConnection(message);
    if (connection) return connection;
  }
  return undefined;
}

/** The lease that a DHCP line of any brand reports. */
export function readLease(message: string): Lease | undefined {
  for (const logs of readers) {
    const lease = logs.readLease(message);
    if (lease) return lease;
  }
  return undefined;
}
