export { createCallLimit } from './call-limit.ts';
export { throttleJobs } from './throttle.jobs.ts';
export {
  type Attempt,
  beginAttempt,
  type Counted,
  countOne,
  countOneIn,
  createLimit,
  fits,
  networksOfSite,
  ofNetwork,
} from './throttle.ts';
