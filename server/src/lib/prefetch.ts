import type { IncomingHttpHeaders } from 'node:http';

/** True for a prefetch by a browser or a messenger's link preview: nobody has looked yet, so nothing is counted. */
export const isPrefetch = (headers: IncomingHttpHeaders): boolean =>
  /prefetch|preview/i.test(String(headers['sec-purpose'] ?? headers['purpose'] ?? ''));
