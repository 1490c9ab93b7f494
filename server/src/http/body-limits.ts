/** The longest body, in bytes, of a caller who has not signed in. A registration takes 2 KB. */
export const maxBytesBeforeSignIn = 16_384;
/** The same for the answers to a survey: seven texts of full length in Arabic or Chinese, whose letters take nine bytes each. */
export const maxBytesOfSurvey = 65_536;
