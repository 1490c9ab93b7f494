/** The parts of a syslog line that come before its message. Text is one character per byte (latin1). */
export interface Header {
  /** HOSTNAME; undefined if the line has none or RFC 5424's nil value. */
  readonly host: string | undefined;
  /** RFC 5424's APP-NAME. A relay puts the text before the first colon there. */
  readonly tag?: string | undefined;
  /** The index of the message in the line. */
  readonly bodyAt: number;
}

const isDigit = (code: number): boolean => code >= 48 && code <= 57;
const months = new Set(['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']);

/** The index after `<PRI>`; 0 if the line does not begin with one (RFC 5424 section 6.2.1: 0 to 191). */
function afterPriority(line: string): number {
  if (line.charCodeAt(0) !== 60) return 0;
  const end = line.indexOf('>', 1);
  if (end < 2 || end > 4) return 0;
  for (let i = 1; i < end; i++) if (!isDigit(line.charCodeAt(i))) return 0;
  return end + 1;
}

/** The index after RFC 5424's structured data, which begins at `at`; -1 if it does not end. */
function afterStructuredData(line: string, at: number): number {
  if (line.charCodeAt(at) === 45) return at + 1;
  let i = at;
  while (line.charCodeAt(i) === 91) {
    let quoted = false;
    for (i++; i < line.length; i++) {
      const code = line.charCodeAt(i);
      if (code === 92 && quoted) i++;
      else if (code === 34) quoted = !quoted;
      else if (code === 93 && !quoted) break;
    }
    if (i >= line.length) return -1;
    i++;
  }
  return i;
}

/** RFC 5424 section 6: `1 TIMESTAMP HOSTNAME APP-NAME PROCID MSGID STRUCTURED-DATA MSG`, from the version on. */
function readRfc5424(line: string, at: number): Header | undefined {
  const fields: number[] = [at];
  for (let n = 0; n < 6; n++) {
    const space = line.indexOf(' ', fields[n]);
    if (space < 0) return undefined;
    fields.push(space + 1);
  }
  const [, , host, app, process, , data] = fields as [number, number, number, number, number, number, number];
  const end = afterStructuredData(line, data);
  if (end < 0 || (end < line.length && line.charCodeAt(end) !== 32)) return undefined;
  let bodyAt = end + 1;
  // The byte order mark that announces UTF-8, section 6.4.
  if (line.startsWith('\xef\xbb\xbf', bodyAt)) bodyAt += 3;
  const name = line.slice(host, app - 1);
  return { host: name === '-' ? undefined : name, tag: line.slice(app, process - 1), bodyAt };
}

/** The index after the time stamp at `at`: RFC 3164's, RFC 3339's, or Sophos UTM's 2023:04:28-00:00:04; -1 if there is none. */
function afterTime(line: string, at: number): number {
  if (line.charCodeAt(at + 6) === 32 && line.charCodeAt(at + 9) === 58 && months.has(line.slice(at, at + 3)))
    return at + 15;
  const dated = isDigit(line.charCodeAt(at)) && isDigit(line.charCodeAt(at + 3));
  const mark = line.charCodeAt(at + 10);
  if (dated && (mark === 84 || mark === 45) && line.charCodeAt(at + 13) === 58) return line.indexOf(' ', at + 18);
  return -1;
}

/** Parses the header of a line in the format of RFC 5424, RFC 3164 or a variant; never throws. */
export function readHeader(line: string): Header {
  const start = afterPriority(line);
  if (start > 0 && line.charCodeAt(start) === 49 && line.charCodeAt(start + 1) === 32) {
    const header = readRfc5424(line, start);
    if (header) return header;
  }
  const end = afterTime(line, start);
  if (end < 0 || line.charCodeAt(end) !== 32) return { host: undefined, bodyAt: start };
  const space = line.indexOf(' ', end + 1);
  if (space < 0) return { host: undefined, bodyAt: end + 1 };
  const host = line.slice(end + 1, space);
  // The line has no host; this is the first word of the message.
  if (host.endsWith(':') || host.includes(',')) return { host: undefined, bodyAt: end + 1 };
  return { host, bodyAt: space + 1 };
}
