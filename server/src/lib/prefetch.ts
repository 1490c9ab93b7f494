import type { IncomingHttpHeaders } from 'node:http';

/** True for a browser's prefetch or a messenger's link preview. The page is not shown yet, so it is not counted. */
export const isPrefetch = (headers: IncomingHttpHeaders): boolean =>
  /prefetch|preview/i.test(String(headers['sec-purpose'] ?? headers['purpose'] ?? ''));
