export { clockJobs } from './clock.jobs.ts';
export { confirmClock, mayErase } from './clock.service.ts';
