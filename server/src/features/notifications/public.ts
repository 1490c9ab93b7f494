export { liveEvents } from './live.ts';
