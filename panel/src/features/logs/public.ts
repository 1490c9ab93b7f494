import { lazyPart } from '#lib/lazy-part.tsx';

/** Fetched when they are shown: the device's screens that show no logs do without them. */
export const LogTraffic = lazyPart(() => import('#features/logs/log-traffic.tsx'), 'LogTraffic', 'in-place');
export const LogFiles = lazyPart(() => import('#features/logs/log-files.tsx'), 'LogFiles', 'in-place');
