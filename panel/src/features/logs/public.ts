import { lazyPart } from '#lib/lazy-part.tsx';

/** Fetched when they are shown: the device's screens that show no logs do without them. */
export const LogTraffic = lazyPart(() => import('#features/logs/traffic/log-traffic.tsx'), 'LogTraffic', 'in-place');
export const LogFiles = lazyPart(() => import('#features/logs/files/log-files.tsx'), 'LogFiles', 'in-place');
