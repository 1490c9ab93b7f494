export { commitTallies, listSenders, listStreams } from './intake.queries.ts';
export { logMetrics } from './metrics.ts';
export { startReader } from './reader.ts';
