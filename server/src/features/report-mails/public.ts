export { reportMailJobs } from './report-mails.jobs.ts';
export { stopMailsTo } from './report-mails.queries.ts';
