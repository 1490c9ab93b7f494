/** Marks requests that the panel sends while nobody uses it. They do not extend the idle time of the sign-in. */
export const backgroundHeader = 'x-background';
