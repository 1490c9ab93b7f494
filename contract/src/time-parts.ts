const units = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const;

export interface TimePart {
  readonly unit: (typeof units)[number][0];
  readonly count: number;
}

/** Seconds in the two largest units; from ten minutes on without seconds. `[]` for 0. The guest's page and the panel agree by it. */
export function timeParts(seconds: number): TimePart[] {
  let rest = Math.max(0, Math.round(seconds));
  const parts: TimePart[] = [];
  for (const [unit, size] of units) {
    if (unit === 'second' && seconds >= 600) break;
    const count = Math.floor(rest / size);
    rest -= count * size;
    if (count > 0) parts.push({ unit, count });
    else if (parts.length > 0) break;
    if (parts.length === 2) break;
  }
  return parts;
}
