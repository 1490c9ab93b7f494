/**
 * Milliseconds for durations within this process, never to be stored. Unlike Date.now() they only go forward: a clock that is
 * set back must not stretch a limit, a lease or a pause.
 */
export const steadyNow = (): number => performance.timeOrigin + performance.now();
