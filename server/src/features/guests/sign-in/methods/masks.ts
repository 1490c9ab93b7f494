/** What a failed sign-in keeps of what was typed: enough to help a guest at the desk, not enough to be them. */

/** The first three and the last two characters. */
export const maskNumber = (text: string): string =>
  text.length < 7 ? '•'.repeat(text.length) : `${text.slice(0, 3)}${'•'.repeat(text.length - 5)}${text.slice(-2)}`;

/** The first letter of each word. */
export const maskName = (text: string): string => text.replace(/(\S)\S*/gu, '$1•••');

export const maskEmail = (text: string): string => {
  const [, name = '', host = ''] = /^(.*)@([^@]*)$/.exec(text) ?? [];
  return host ? `${name.slice(0, 1)}•••@${host}` : maskNumber(text);
};

/** Of a day nothing is shown but that one was typed. */
export const maskDay = (text: string): string => (text ? '••••-••-••' : '');
