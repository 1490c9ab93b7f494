import { lazyPart } from '#lib/lazy-part.tsx';

/** Loaded on demand: most screens of a device show no logs. */
export const LogTraffic = lazyPart(() => import('#features/logs/traffic/log-traffic.tsx'), 'LogTraffic', 'in-place');
export const LogFiles = lazyPart(() => import('#features/logs/files/log-files.tsx'), 'LogFiles', 'in-place');
