export { liveEvents } from './live.ts';
export { notificationJobs } from './notifications.jobs.ts';
export { announce, announceLocations, countUnread } from './notifications.queries.ts';
export { notify, toMail } from './notifications.service.ts';
