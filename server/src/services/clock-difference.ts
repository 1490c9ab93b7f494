/** From here on the doctor and the alert call it a difference. */
export const differentMs = 5000;

/**
 * Milliseconds by which the clock of the database is ahead of this process's: `there`, which it told between a question and its
 * answer. Only what these two times cannot explain counts, so that a slow answer is no difference.
 */
export const clockDifference = (asked: number, there: number, answered: number): number =>
  Math.max(0, there - answered) + Math.min(0, there - asked);
