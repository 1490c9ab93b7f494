/** One measured figure beside its reference. `goal` is the bound that `ratio` must keep. */
export interface Row {
  readonly work: string;
  readonly ours: string;
  readonly reference: string;
  readonly ratio?: number;
  readonly goal?: { readonly most?: number; readonly least?: number };
}

const kept = ({ ratio, goal }: Row): string => {
  if (ratio === undefined || !goal) return '';
  const good = (goal.most === undefined || ratio <= goal.most) && (goal.least === undefined || ratio >= goal.least);
  const bound = goal.most === undefined ? `≥ ${goal.least}` : `≤ ${goal.most}`;
  return `${bound} ${good ? 'kept' : 'MISSED'}`;
};

/** The rows as a table for the terminal. */
export function printTable(title: string, rows: readonly Row[]): void {
  const cells = rows.map(r => [r.work, r.ours, r.reference, r.ratio === undefined ? '' : `${r.ratio.toFixed(2)}×`, kept(r)]);
  const head = ['work', 'ours', 'reference', 'ratio', 'goal'];
  const width = head.map((h, i) => Math.max(h.length, ...cells.map(c => c[i]!.length)));
  const line = (c: readonly string[]) => c.map((text, i) => text.padEnd(width[i]!)).join('  ').trimEnd();
  process.stdout.write(`\n${title}\n${line(head)}\n${width.map(w => '─'.repeat(w)).join('  ')}\n${cells.map(line).join('\n')}\n`);
}
