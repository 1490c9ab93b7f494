import { beforeEach, expect } from 'vitest';

let began = 0;

/** For a file whose tests send reports of some seconds ago: when a test began, so that a busy machine does not matter. */
export function noteBegin(): void {
  beforeEach(() => {
    began = Date.now();
  });
}

/** How long the present test has run. */
export const secondsOfTest = (): number => (Date.now() - began) / 1000;

/** The time was so many seconds ago when the report was sent, which was during this test. The database keeps milliseconds or more. */
export function expectAgo(time: string, seconds: number): void {
  const sent = Date.parse(time) + seconds * 1000;
  expect(sent).toBeGreaterThanOrEqual(began - 1);
  expect(sent).toBeLessThanOrEqual(Date.now() + 1);
}
