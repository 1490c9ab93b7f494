/**
 * The values of `key=value key="value with blanks"` text, by key. The first of a key wins; keys are word characters and
 * hyphens. Text between that is neither is passed over. Linear in the length, whatever the text.
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

/** An unquoted value ends before the next ` key=`: older Sophos lines have blanks within them (`domain=www. google.ca`). */
function unquotedEnd(text: string, from: number): number {
  const blank = text.indexOf(' ', from);
  if (blank < 0) return text.length;
  const equals = text.indexOf('=', blank);
  if (equals < 0) return text.length;
  let key = equals;
  while (key > blank && isKeyCharacter(text.charCodeAt(key - 1))) key--;
  // Without a key before it, the equals sign is part of what follows the value.
  if (key === equals || text.charCodeAt(key - 1) !== 32) return blank;
  let end = key - 1;
  while (end > from && text.charCodeAt(end - 1) === 32) end--;
  return end;
}
