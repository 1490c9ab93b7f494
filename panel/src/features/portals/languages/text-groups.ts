/** The groups in which the texts of guests' pages are shown: those of a page that many guests see come first. */
export const groups = [
  'common',
  'fields',
  'consent',
  'code',
  'online',
  'mail',
  'social',
  'survey',
  'full',
  'handOver',
  'pass',
  'data',
  'buy',
  'problems',
] as const;
export type TextGroup = (typeof groups)[number];

const elsewhere: Readonly<Record<string, TextGroup>> = { extend: 'online', links: 'online' };

export function groupOf(key: string): TextGroup {
  const [first = ''] = key.split('.');
  return groups.find(it => it === first) ?? elsewhere[first] ?? 'common';
}
