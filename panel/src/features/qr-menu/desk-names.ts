/** `A1 – A12`, or `A1` where there is one. */
export const deskNames = (prefix: string, start: number, end: number): string =>
  end > start ? `${prefix}${start} – ${prefix}${end}` : `${prefix}${start}`;
