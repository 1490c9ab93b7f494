/**
 * A text that others wrote, as one line in its order: what breaks a line or turns the order of letters is spelled out. So a part of a
 * line of evidence cannot look like a line of its own.
 */
export const visibleText = (text: string): string =>
  text.replace(/(?!\t)[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu, it => `\\u{${it.codePointAt(0)!.toString(16)}}`);

/** Line breaks, signs that turn the order of letters, and signs without width. Two names could look the same with them. */
export const unseenSigns = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\u200b\u2060\ufeff]/u;
