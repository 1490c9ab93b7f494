/**
 * Reads `key=value key="value with spaces"` text. Keys consist of word characters and hyphens; the first of a repeated key
 * wins, and other text is skipped. The time is linear in the length of any text.
 */
export function readKeyValues(text: string, from = 0): Map<string, string> {
  const values = new Map<string, string>();
  let at = from;
  while (at < text.length) {
    const equals = text.indexOf('=', at);
    if (equals < 0) break;
    let start = equals;
    while (start > at && isKeyCharacter(text.charCodeAt(start - 1))) start--;
    const key = text.slice(start, equals);
    let end: number;
    let value: string;
    if (text.charCodeAt(equals + 1) === 34) {
      const quote = text.indexOf('"', equals + 2);
      end = quote < 0 ? text.length : quote + 1;
      value = text.slice(equals + 2, quote < 0 ? text.length : quote);
    } else {
      end = unquotedEnd(text, equals + 1);
      value = text.slice(equals + 1, end);
    }
    if (key && !values.has(key)) values.set(key, value);
    at = Math.max(end, equals + 1);
  }
  return values;
}

function isKeyCharacter(code: number): boolean {
  return (
    (code >= 97 && code <= 122) ||
    (code >= 65 && code <= 90) ||
    (code >= 48 && code <= 57) ||
    code === 95 ||
    code === 45
  );
}

/** An unquoted value ends before the next ` key=`: older Sophos lines have spaces inside values (`domain=www. google.ca`). */
function unquotedEnd(text: string, from: number): number {
  const blank = text.indexOf(' ', from);
  if (blank < 0) return text.length;
  const equals = text.indexOf('=', blank);
  if (equals < 0) return text.length;
  let key = equals;
  while (key > blank && isKeyCharacter(text.charCodeAt(key - 1))) key--;
  // An equals sign without a key before it is part of the text after the value.
  if (key === equals || text.charCodeAt(key - 1) !== 32) return blank;
  let end = key - 1;
  while (end > from && text.charCodeAt(end - 1) === 32) end--;
  return end;
}
