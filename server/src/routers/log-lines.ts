import { drivers, findDriver } from './drivers.ts';
import { type Connection, type Lease, type LogFacts, type LogReader, other } from './log-line.ts';

/** Brands may share a reader. */
const readers = [...new Set(drivers.map(driver => driver.logs))];

/**
 * The reader of a brand. If the brand is unknown because the device was deleted or had another brand then, those that know the
 * line. Another brand's reader would take what guests chose, such as the name of a device, for words of the router.
 */
const readersOf = (brand: string | undefined, message: string): readonly LogReader[] => {
  const driver = brand === undefined ? undefined : findDriver(brand);
  return driver ? [driver.logs] : readers.filter(it => it.parse(message).type !== 'other');
};

/** Reads a line of a brand. */
export const parseLogLine = (brand: string | undefined, message: string): LogFacts =>
  readersOf(brand, message)[0]?.parse(message) ?? other;

/** The connection that a firewall line reports. */
export function readConnection(brand: string | undefined, message: string): Connection | undefined {
  const known = readersOf(brand, message);
  // A line that one brand writes for a lease or a name may end with what a guest chose, in another brand's words.
  if (known.length > 1 && known.some(logs => ['dhcp', 'dns'].includes(logs.parse(message).type))) return undefined;
  for (const logs of known) {
    const connection = logs.readConnection(message);
    if (connection) return connection;
  }
  return undefined;
}

/** The lease that a DHCP line reports. */
export function readLease(brand: string | undefined, message: string): Lease | undefined {
  for (const logs of readersOf(brand, message)) {
    const lease = logs.readLease(message);
    if (lease) return lease;
  }
  return undefined;
}
