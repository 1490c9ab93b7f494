/** Masks for recorded input: enough to help a guest at the desk, not enough to impersonate the guest. */

/** Keeps the first three and the last two characters. */
export const maskNumber = (text: string): string =>
  text.length < 7 ? '•'.repeat(text.length) : `${text.slice(0, 3)}${'•'.repeat(text.length - 5)}${text.slice(-2)}`;

/** Keeps the first letter of each word. */
export const maskName = (text: string): string => text.replace(/(\S)\S*/gu, '$1•••');

export const maskEmail = (text: string): string => {
  const [, name = '', host = ''] = /^(.*)@([^@]*)$/.exec(text) ?? [];
  return host ? `${name.slice(0, 1)}•••@${host}` : maskNumber(text);
};

/** Shows only that a date was entered. */
export const maskDay = (text: string): string => (text ? '••••-••-••' : '');
