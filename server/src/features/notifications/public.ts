export { liveEvents } from './live.ts';
export { notificationJobs } from './notifications.jobs.ts';
export { announce, countUnread } from './notifications.queries.ts';
export { notify } from './notifications.service.ts';
