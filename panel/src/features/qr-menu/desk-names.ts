/** `A1 – A12`, or `A1` for a single table. */
export const deskNames = (prefix: string, start: number, end: number): string =>
  end > start ? `${prefix}${start} – ${prefix}${end}` : `${prefix}${start}`;
