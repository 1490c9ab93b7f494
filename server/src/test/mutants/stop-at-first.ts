// Loaded before a test file that must notice a defect. One failed test is enough, so the others are left out.
import { afterEach, beforeEach } from 'vitest';

let noticed = false;
beforeEach(context => {
  if (noticed) context.skip();
});
afterEach(({ task }) => {
  noticed ||= task.result?.state === 'fail';
});
