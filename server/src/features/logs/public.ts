export { commitTallies, listSenders, listStreams } from './intake.queries.ts';
export { momentOf } from './local-day.ts';
export { registeredHeads, verifyLogs } from './logs.cli.ts';
export { logJobs } from './logs.jobs.ts';
export { addLosses } from './losses.queries.ts';
export { countLosses } from './losses.ts';
export { logMetrics } from './metrics.ts';
export { startReader } from './reader.ts';
export { type Found, type Limits, searchLines } from './search.ts';
