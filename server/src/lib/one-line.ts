/** Room for a whole sentence of another system, and for the name of the thing that it is about. */
const usual = 300;

/** A text without half a surrogate pair at its end, where a cut may have left one. */
export const cutText = (text: string, max: number): string => {
  const cut = text.slice(0, max);
  return /[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut;
};

/**
 * What another system said, as one line of at most `max` characters. PostgreSQL refuses a NUL, and its JSON half a character: what
 * went wrong could not be noted, because of the words for it. Signs that turn the text around are left out too.
 */
export const oneLine = (text: string, max = usual): string =>
  cutText(text.replace(/[\s\p{Cc}\p{Cf}\p{Cs}]+/gu, ' ').trim(), max);
