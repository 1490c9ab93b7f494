export { encryptParams, hidden } from './failed-logins.ts';
export { recordPast } from './past.ts';
export { periodOf } from './period.queries.ts';
export { sessionJobs } from './sessions.jobs.ts';
export { sessionHandlers } from './sessions.radius.ts';
export { decideSignIns, insertFailedLogins, type SignInDecision } from './sign-in.queries.ts';
export { issueTicket } from './tickets.ts';
