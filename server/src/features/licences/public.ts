export { licenceJobs } from './licences.jobs.ts';
