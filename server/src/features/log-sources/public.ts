export { logSourceJobs } from './log-sources.jobs.ts';
export { addQuarantined, proveSource } from './log-sources.queries.ts';
export { createQuarantine } from './quarantine.ts';
