import { sessionHandlers } from '#features/sessions/public.ts';
import type { App } from '#lib/app.ts';
import { kernelDrops } from '#lib/kernel-drops.ts';
import { counter, gauge, histogram } from '#lib/metrics.ts';
import { startRadius as listen } from '#radius/listener.ts';
import { radiusCounters } from '#radius/types.ts';
import { radsecOptions } from './radsec.ts';
import type { Service } from './service.ts';

/** The RADIUS service: authentication and accounting over UDP, and over TLS if enabled; the sessions feature decides. */
export async function startRadius(
  app: App,
  options: { seenEveryMs?: number } = {},
): Promise<Service & { authPort: number; acctPort: number; radsecPort: number | undefined }> {
  const { settings } = app;
  const counters = Object.fromEntries(
    Object.entries(radiusCounters).map(([name, { help, labels }]) => [
      name,
      counter(`portico_${name}`, help, [...labels]),
    ]),
  );
  const handlers = sessionHandlers(app);
  const seconds = histogram('portico_radius_batch_seconds', 'Time to decide and commit a batch of packets', ['kind']);
  const timed = <T>(kind: string, work: Promise<T>): Promise<T> => work.finally(seconds.startTimer({ kind }));
  const listener = await listen(
    {
      host: settings.UDP_HOST,
      authPort: settings.RADIUS_AUTH_PORT,
      acctPort: settings.RADIUS_ACCT_PORT,
      packetsPerSecond: settings.RADIUS_PACKETS_PER_SECOND,
      radsec: await radsecOptions(app),
      ...options,
    },
    {
      ...handlers,
      authorize: batch => timed('authorize', handlers.authorize(batch)),
      account: batch => timed('account', handlers.account(batch)),
      count: (name, labels) => counters[name]!.inc(labels),
      failed: (where, error) => app.log.error({ err: error, where }, 'radius'),
    },
  );
  const waiting = gauge('portico_radius_waiting', 'Packets that wait for a batch', ['listener']);
  const unread = gauge(
    'portico_radius_kernel_dropped',
    'Packets that the kernel dropped at the UDP port since the start, because its buffers were full',
    ['listener'],
  );
  const connections = gauge('portico_radsec_connections', 'RADIUS over TLS: connections that are open', []);
  const watch = setInterval(() => {
    const { authWaiting, acctWaiting, radsecConnections } = listener.stats();
    connections.set(radsecConnections);
    waiting.set({ listener: 'auth' }, authWaiting);
    waiting.set({ listener: 'acct' }, acctWaiting);
    for (const [name, port] of Object.entries({ auth: listener.authPort, acct: listener.acctPort }))
      void kernelDrops(port).then(drops => unread.set({ listener: name }, drops ?? 0));
  }, 5000);
  // Devices that are created or changed in the panel take effect at once, not when the cache expires.
  const unsubscribe = app.changes.subscribe(change => {
    if (change.nas_identifier) listener.forgetDevice(change.nas_identifier);
    if (change.topic === 'device-certificates') listener.recheckCertificates();
    if (change.topic === 'radius-proxies') {
      listener.reloadProxies();
      listener.recheckCertificates();
    }
  });
  return {
    authPort: listener.authPort,
    acctPort: listener.acctPort,
    radsecPort: listener.radsecPort,
    stop: async () => {
      clearInterval(watch);
      unsubscribe();
      await listener.close();
    },
  };
}
