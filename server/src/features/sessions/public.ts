export { encryptParams, hidden } from './failed-logins.ts';
export { sessionJobs } from './sessions.jobs.ts';
export { sessionHandlers } from './sessions.radius.ts';
export { insertFailedLogins } from './sign-in.queries.ts';
export { issueTicket } from './tickets.ts';
