/** A RouterOS string with its special characters escaped: quote, backslash, dollar sign and question mark. */
export const quoted = (text: string): string => `"${text.replace(/[\\"$?]/g, '\\$&')}"`;
