/** The longest body, in bytes, of a caller who has not signed in. A registration takes 2 KB, a guest's long survey 10 KB. */
export const maxBytesBeforeSignIn = 16_384;
