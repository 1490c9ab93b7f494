/** Three to six round grid lines from 0 to at least `max` (above 0). `bytes`: in steps of decimal units. */
export function chartLines(max: number, bytes = false): number[] {
  const unit = bytes ? 1000 ** Math.max(0, Math.floor(Math.log10(max) / 3)) : 1;
  const rough = max / unit / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const nice = ([1, 2, 2.5, 5, 10].find(step => step * power >= rough) ?? 10) * power;
  // Counts have no halves.
  const step = bytes ? nice * unit : Math.max(1, Math.ceil(nice));
  return Array.from({ length: Math.ceil(max / step) + 1 }, (_, i) => i * step);
}
