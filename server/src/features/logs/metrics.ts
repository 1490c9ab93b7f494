import { counter, gauge } from '#lib/metrics.ts';

/** The metrics of the log listener. Dropped lines are counted by reason. */
export function logMetrics() {
  const waiting = gauge('portico_log_waiting_bytes', 'Bytes of log lines in memory that wait for the disk');
  const lag = gauge(
    'portico_log_unread_bytes',
    'Bytes of log lines on the disk that are not counted in the database yet',
  );
  const free = gauge('portico_log_disk_free_bytes', 'Free space on the disk of the log lines');
  const connections = gauge('portico_log_tcp_connections', 'Open TCP connections of routers');
  const busySenders = gauge(
    'portico_log_loud_senders',
    'UDP senders with a dedicated socket, because they send so much',
  );
  const kernel = gauge(
    'portico_log_kernel_dropped',
    'Log lines that the kernel dropped at the UDP port since the start',
  );
  return {
    lines: counter('portico_log_lines_total', 'Log lines stored', ['transport']),
    dropped: counter('portico_log_dropped_total', 'Log lines dropped, by reason', ['reason']),
    cut: counter('portico_log_cut_total', 'Log lines that were truncated because they were too long', ['transport']),
    refused: counter(
      'portico_log_tls_refused_total',
      'Failed TLS handshakes, for example without the required certificate',
      [],
    ),
    turnedAway: counter(
      'portico_log_connections_refused_total',
      'TCP connections refused at a limit (per address or in total), or closed for another because they sent no line of a known device',
      ['reason'],
    ),
    read: counter('portico_log_read_total', 'Log lines read, by type', ['type']),
    errors: counter('portico_log_errors_total', 'Errors of the log service, by place', ['where']),
    watch: (now: {
      waiting: () => number;
      free: () => number | undefined;
      lag: () => number;
      connections: () => number;
      busySenders: () => number;
      kernelDrops: () => Promise<number | undefined>;
    }) =>
      setInterval(() => {
        waiting.set(now.waiting());
        lag.set(now.lag());
        free.set(now.free() ?? 0);
        connections.set(now.connections());
        busySenders.set(now.busySenders());
        void now.kernelDrops().then(drops => kernel.set(drops ?? 0));
      }, 5000),
  };
}
