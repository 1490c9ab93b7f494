import { create } from 'qrcode';
import { memo } from 'react';

/** The dark modules as one SVG path: the runs of each row. */
function pathOf(size: number, isDark: (row: number, column: number) => boolean): string {
  let path = '';
  for (let row = 0; row < size; row += 1) {
    for (let column = 0; column < size; column += 1) {
      if (!isDark(row, column)) continue;
      const from = column;
      while (column + 1 < size && isDark(row, column + 1)) column += 1;
      path += `M${from} ${row}h${column - from + 1}v1h-${column - from + 1}z`;
    }
  }
  return path;
}

/** A QR code with the quiet zone of four modules that scanners need. Always dark on white. */
export const QrCode = memo(function QrCode({
  text,
  label,
  className,
}: {
  text: string;
  label: string;
  className?: string | undefined;
}) {
  const { modules } = create(text, { errorCorrectionLevel: 'M' });
  const { size } = modules;
  return (
    <svg
      className={className}
      viewBox={`-4 -4 ${size + 8} ${size + 8}`}
      shapeRendering="crispEdges"
      role="img"
      aria-label={label}
    >
      <rect x={-4} y={-4} width={size + 8} height={size + 8} fill="#fff" />
      <path d={pathOf(size, (row, column) => modules.get(row, column) === 1)} fill="#000" />
    </svg>
  );
});
