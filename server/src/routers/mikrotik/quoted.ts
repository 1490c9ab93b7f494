/** A RouterOS string: quotes, backslashes, dollar signs and question marks would otherwise mean something. */
export const quoted = (text: string): string => `"${text.replace(/[\\"$?]/g, '\\$&')}"`;
