/**
 * The attempts that may be tried since `began`, by performance.now(), of a limit of `free`: one failure is forgotten after another,
 * and each block lets one more attempt through at its end. The first block takes a second, each further one twice as long.
 */
export function mostTried(free: number, began: number, windowMinutes = 15): number {
  const seconds = (performance.now() - began) / 1000;
  return free + Math.floor(seconds / ((windowMinutes * 60) / free)) + Math.floor(Math.log2(seconds + 1));
}
