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

const input = await buffer(process.stdin);
const lineEnd = input.indexOf('\n');
const { width, height, vector } = JSON.parse(input.subarray(0, lineEnd).toString('utf8')) as DrawTask;
try {
  const source = sharp(input.subarray(lineEnd + 1), {
    limitInputPixels: maxPixels,
    failOn: 'error',
    ...(vector ? { density: 144 } : {}),
  });
  const { format } = await source.metadata();
  if (!format || !formats.has(format) || (format === 'svg') !== vector) process.exit(notAPicture);
  const { data, info } = await source
    .rotate()
    .resize({ width, height, fit: 'inside', withoutEnlargement: true })
    .webp({ quality: 82, alphaQuality: 90, effort: 4 })
    .toBuffer({ resolveWithObject: true });
  process.stdout.write(`${JSON.stringify({ width: info.width, height: info.height })}\n`);
  process.stdout.write(data);
} catch {
  process.exit(notAPicture);
}
