import { readFile } from 'node:fs/promises';

/**
 * The number of datagrams that the kernel dropped at a UDP port since it was opened, because its buffer was full.
 * net.core.rmem_max limits the buffer. Undefined where the system does not report it.
 */
export async function kernelDrops(port: number): Promise<number | undefined> {
  const hex = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const tables = await Promise.all(
    ['/proc/net/udp', '/proc/net/udp6'].map(file => readFile(file, 'utf8').catch(() => '')),
  );
  const sockets = tables.flatMap(table => table.split('\n').map(line => line.trim().split(/\s+/)));
  const ours = sockets.filter(fields => fields[1]?.endsWith(hex));
  return ours.length === 0 ? undefined : ours.reduce((sum, fields) => sum + Number(fields.at(-1)), 0);
}
