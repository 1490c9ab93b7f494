import { isDeepStrictEqual } from 'node:util';
import { drivers, findDriver } from './drivers.ts';
import { type Connection, type Lease, type LogFacts, type LogReader, type LogType, other } from './log-line.ts';

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

/**
 * The result on which all readers of a line agree. A line that one brand writes for a lease or a name may end with what a guest chose, in another
 * brand's words. So if the brand is unknown, all that know the line must read the same.
 */
function agreed<T>(
  brand: string | undefined,
  message: string,
  type: LogType,
  read: (logs: LogReader) => T | undefined,
) {
  const known = readersOf(brand, message);
  const [first, ...others] = known.map(read);
  if (known.length < 2) return first;
  const isDoubtful =
    known.some(logs => logs.parse(message).type !== type) || others.some(it => !isDeepStrictEqual(it, first));
  return isDoubtful ? undefined : first;
}

/** The connection that a firewall line reports. */
export const readConnection = (brand: string | undefined, message: string): Connection | undefined =>
  agreed(brand, message, 'firewall', logs => logs.readConnection(message));

/** The lease that a DHCP line reports. */
export const readLease = (brand: string | undefined, message: string): Lease | undefined =>
  agreed(brand, message, 'dhcp', logs => logs.readLease(message));
