import { counter, gauge } from '#lib/metrics.ts';

/** The metrics of the log listener. Dropped lines are counted by reason. */
export function logMetrics() {
  const waiting = gauge('portico_log_waiting_bytes', 'Log lines in memory that wait for the disk');
  const lag = gauge('portico_log_unread_bytes', 'Log lines on the disk that are not in the database yet');
  const free = gauge('portico_log_disk_free_bytes', 'Space left where log lines are kept');
  const connections = gauge('portico_log_tcp_connections', 'Routers connected over TCP');
  const loud = gauge(
    'portico_log_loud_senders',
    'Senders over UDP that have a socket of their own, as they send so much',
  );
  const kernel = gauge(
    'portico_log_kernel_dropped',
    'Log lines that the kernel dropped at our UDP port since the start',
  );
  return {
    lines: counter('portico_log_lines_total', 'Log lines kept', ['transport']),
    dropped: counter('portico_log_dropped_total', 'Log lines not kept, by reason', ['reason']),
    cut: counter('portico_log_cut_total', 'Log lines longer than allowed, of which the beginning was kept', [
      'transport',
    ]),
    refused: counter(
      'portico_log_tls_refused_total',
      'TLS handshakes that failed, as without a certificate that is asked for',
      [],
    ),
    turnedAway: counter(
      'portico_log_connections_refused_total',
      'Connections over TCP that found no place (of their address, of all), or made place for another as they brought no line of a device',
      ['reason'],
    ),
    read: counter('portico_log_read_total', 'Log lines read, by type', ['type']),
    errors: counter('portico_log_errors_total', 'What went wrong with log lines, by place', ['where']),
    watch: (now: {
      waiting: () => number;
      free: () => number | undefined;
      lag: () => number;
      connections: () => number;
      loud: () => number;
      kernelDrops: () => Promise<number | undefined>;
    }) =>
      setInterval(() => {
        waiting.set(now.waiting());
        lag.set(now.lag());
        free.set(now.free() ?? 0);
        connections.set(now.connections());
        loud.set(now.loud());
        void now.kernelDrops().then(drops => kernel.set(drops ?? 0));
      }, 5000),
  };
}
