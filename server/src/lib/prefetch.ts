import type { IncomingHttpHeaders } from 'node:http';

/**
 * False for a browser's prefetch, a messenger's link preview and a request for the headers only. No person sees the page yet, so
 * it is not counted.
 */
export const isRealView = ({ method, headers }: { method: string; headers: IncomingHttpHeaders }): boolean =>
  method !== 'HEAD' && !/prefetch|preview/i.test(String(headers['sec-purpose'] ?? headers['purpose'] ?? ''));
