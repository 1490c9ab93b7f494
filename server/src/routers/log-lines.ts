import { type LogFacts, other, type ParseLogLine } from './log-line.ts';
import { parseMikrotikLine } from './mikrotik/log-lines.ts';
import { parseSophosLine } from './sophos/log-lines.ts';
import { parseWatchguardLine } from './watchguard/log-lines.ts';

const parsers: Readonly<Record<string, ParseLogLine>> = {
  mikrotik: parseMikrotikLine,
  sophos: parseSophosLine,
  watchguard: parseWatchguardLine,
};

/** Reads a line of a brand, by its slug; of an unknown brand (its device was deleted) by the first parser that knows it. */
export function parseLogLine(brand: string | undefined, message: string): LogFacts {
  const parse = brand === undefined ? undefined : parsers[brand];
  if (parse) return parse(message);
  for (const one of Object.values(parsers)) {
    const facts = one(message);
    if (facts.type !== 'other') return facts;
  }
  return other;
}
