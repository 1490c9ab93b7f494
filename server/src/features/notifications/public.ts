export { liveEvents } from './live.ts';
export { notificationJobs } from './notifications.jobs.ts';
export { announce, announceLocations, countUnread } from './notifications.queries.ts';
export { type Notice, notify, toMail } from './notifications.service.ts';
