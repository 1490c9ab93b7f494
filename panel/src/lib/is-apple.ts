/** Keyboards of Apple have Cmd in the place of Ctrl. */
export const isApple = /mac|iphone|ipad/i.test(navigator.userAgent);
