/** Of the sign-in pages that routers are given; raised whenever one changes, as routers keep theirs until they fetch it again. */
export const pageVersion = '2';
