import type { Desk, DeskCode } from '@portico/contract/qr-menu.ts';

type Range = Pick<Desk, 'prefix' | 'number_start' | 'number_end' | 'menu_url'>;

/** Every desk of a row: its printed name and the address in its code. */
export const deskCodes = (
  { prefix, number_start, number_end, menu_url }: Range,
  scans: readonly { number: number; scans: number; last_scanned_at: string }[],
): DeskCode[] => {
  const seen = new Map(scans.map(it => [it.number, it]));
  return Array.from({ length: number_end - number_start + 1 }, (_, i) => {
    const number = number_start + i;
    return {
      number,
      name: `${prefix}${number}`,
      url: `${menu_url}/${number}`,
      scans: seen.get(number)?.scans ?? 0,
      last_scanned_at: seen.get(number)?.last_scanned_at ?? null,
    };
  });
};
