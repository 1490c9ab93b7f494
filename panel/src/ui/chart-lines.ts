/** Round lines of a scale, from 0 to at least `most` (above 0): three to six of them. `binary`: in steps of 1024 (bytes). */
export function chartLines(most: number, binary = false): number[] {
  const unit = binary ? 1024 ** Math.max(0, Math.floor(Math.log(most) / Math.log(1024))) : 1;
  const rough = most / unit / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const nice = ([1, 2, 2.5, 5, 10].find(step => step * power >= rough) ?? 10) * power;
  // Counts have no halves.
  const step = binary ? nice * unit : Math.max(1, Math.ceil(nice));
  return Array.from({ length: Math.ceil(most / step) + 1 }, (_, i) => i * step);
}
