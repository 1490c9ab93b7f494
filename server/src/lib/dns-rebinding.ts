import { isIP } from 'node:net';

const loopback = /^(127\.|::1$|localhost$)/;

/**
 * Whether a stranger's page may have led its own name to this machine (DNS rebinding). No name of the public DNS leads to a
 * server that listens to this machine only. `harmless` matches names that the server answers to all the same.
 */
export const mayBeRebound = (listens: string, host: string, harmless: RegExp): boolean =>
  loopback.test(listens) && !isIP(host.replace(/^\[(.*)\]$/, '$1')) && !harmless.test(host);
