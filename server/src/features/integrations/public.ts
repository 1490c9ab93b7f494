export { integrationJobs } from './integrations.jobs.ts';
