/** On a request that the panel makes by itself while nobody uses it. It does not keep the sign-in from idling out. */
export const backgroundHeader = 'x-background';
