/** Marks requests that an unused panel sends. They do not extend the idle time of the sign-in. */
export const backgroundHeader = 'x-background';
