export { periodOf, zoneOf } from './period.queries.ts';
export { encryptParams, hidden } from './failed-logins.ts';
export { sessionJobs } from './sessions.jobs.ts';
export { sessionHandlers } from './sessions.radius.ts';
export { decideSignIns, insertFailedLogins, type SignInDecision } from './sign-in.queries.ts';
export { issueTicket } from './tickets.ts';
export { recordPast } from './past.ts';
