export { logSourceJobs } from './log-sources.jobs.ts';
export { addQuarantined, proveSources } from './log-sources.queries.ts';
export { createQuarantine } from './quarantine.ts';
