/** Masks for what a page shows back to a guest: enough to recognise it. */

/** Keeps the first three and the last two characters. */
export const maskNumber = (text: string): string =>
  text.length < 7 ? '•'.repeat(text.length) : `${text.slice(0, 3)}${'•'.repeat(text.length - 5)}${text.slice(-2)}`;

export const maskEmail = (text: string): string => {
  const [, name = '', host = ''] = /^(.*)@([^@]*)$/.exec(text) ?? [];
  return host ? `${name.slice(0, 1)}•••@${host}` : maskNumber(text);
};
