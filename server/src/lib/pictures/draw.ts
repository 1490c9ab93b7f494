import { buffer } from 'node:stream/consumers';
import sharp from 'sharp';
import type { DrawTask } from './redraw.ts';

/**
 * The program of the child process that draws one picture (redraw.ts). It reads a line of JSON and the file from its
 * standard input, and writes a line of JSON and the drawn picture. Exit code 2: the file is not a picture.
 */

// An upload of a few hundred bytes can unfold to gigabytes of pixels.
const maxPixels = 40_000_000;
const formats = new Set(['png', 'jpeg', 'jpg', 'webp', 'svg']);
const notAPicture = 2;
/** Tried in this order while a picture is over its budget. */
const coarser = [
  [1, 60],
  [1, 40],
  [0.75, 40],
  [0.5, 40],
  [0.4, 30],
] as const;
const smaller = [
  [0.85, 75],
  [0.7, 70],
  [0.6, 60],
  [0.5, 50],
  [0.5, 30],
] as const;

const input = await buffer(process.stdin);
const lineEnd = input.indexOf('\n');
const {
  width,
  height,
  maxBytes = Infinity,
  plain = false,
  vector,
} = JSON.parse(input.subarray(0, lineEnd).toString('utf8')) as DrawTask;
try {
  const source = sharp(input.subarray(lineEnd + 1), {
    limitInputPixels: maxPixels,
    failOn: 'error',
    ...(vector ? { density: 144 } : {}),
  });
  const { format } = await source.metadata();
  if (!format || !formats.has(format) || (format === 'svg') !== vector) process.exit(notAPicture);
  const upright = await source.rotate().png({ compressionLevel: 1 }).toBuffer();
  const draw = async (share: number, quality: number) => {
    const sized = sharp(upright).resize({
      width: Math.round(width * share),
      height: Math.round(height * share),
      fit: 'inside',
      withoutEnlargement: true,
    });
    const drawn = await sized
      .clone()
      .webp({ quality, alphaQuality: 90, effort: 4 })
      .toBuffer({ resolveWithObject: true });
    if (!plain) return drawn;
    const exact = await sized.webp({ lossless: true, effort: 4 }).toBuffer({ resolveWithObject: true });
    return exact.data.length < drawn.data.length ? exact : drawn;
  };
  let { data, info } = await draw(1, 82);
  for (const [share, quality] of plain ? smaller : coarser) {
    if (data.length <= maxBytes) break;
    ({ data, info } = await draw(share, quality));
  }
  process.stdout.write(`${JSON.stringify({ width: info.width, height: info.height })}\n`);
  process.stdout.write(data);
} catch {
  process.exit(notAPicture);
}
