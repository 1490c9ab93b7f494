export { reportMailJobs } from './report-mails.jobs.ts';
