/** One measured figure beside its reference. `goal` bounds `figure`, or `ratio` where there is no figure. */
export interface Row {
  readonly work: string;
  readonly ours: string;
  readonly reference: string;
  readonly ratio?: number;
  readonly figure?: number;
  readonly goal?: { readonly most?: number; readonly least?: number; readonly unit?: string };
}

const kept = ({ ratio, figure = ratio, goal }: Row): string => {
  if (figure === undefined || !goal) return '';
  const { most = Number.POSITIVE_INFINITY, least = Number.NEGATIVE_INFINITY, unit = '×' } = goal;
  const bound = goal.most === undefined ? `≥ ${least.toLocaleString('en')}` : `≤ ${most.toLocaleString('en')}`;
  return `${bound}${unit === '×' ? unit : ` ${unit}`} ${figure <= most && figure >= least ? 'kept' : 'MISSED'}`;
};

/** The rows as a Markdown table, so that it can be pasted as it is. */
export function printTable(title: string, rows: readonly Row[]): void {
  const head = ['work', 'ours', 'reference', 'ratio', 'goal'];
  const cells = rows.map(row => [
    row.work,
    row.ours,
    row.reference,
    row.ratio === undefined ? '' : `${row.ratio.toFixed(2)}×`,
    kept(row),
  ]);
  const width = head.map((name, i) => Math.max(name.length, ...cells.map(row => row[i]!.length)));
  const line = (row: readonly string[]) => `| ${row.map((text, i) => text.padEnd(width[i]!)).join(' | ')} |`;
  const rule = `|${width.map(columns => '-'.repeat(columns + 2)).join('|')}|`;
  process.stdout.write(`\n${[title, '', line(head), rule, ...cells.map(line)].join('\n')}\n`);
}
