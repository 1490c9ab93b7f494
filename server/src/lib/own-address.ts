import { isIPv6 } from 'node:net';

const loopback: Record<string, string> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

/** The address at which this machine reaches a server that listens on `host`: a loopback one if it listens on all. */
export const ownAddress = (host: string): string => loopback[host] ?? host;

/** An address as the host of a URL (RFC 3986, section 3.2.2). */
export const inUrl = (address: string): string => (isIPv6(address) ? `[${address}]` : address);
