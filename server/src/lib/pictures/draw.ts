import { buffer } from 'node:stream/consumers';
import sharp, { type Sharp, type WebpOptions } from 'sharp';
import type { DrawTask } from './redraw.ts';

/**
 * The program of the child process that draws one picture (redraw.ts). It reads a line of JSON and the file from its
 * standard input, and writes a line of JSON and the drawn picture. Its exit code says why it drew nothing.
 */

// An upload of a few hundred bytes can unfold to gigabytes of pixels.
const maxPixels = 40_000_000;
const formats = new Set(['png', 'jpeg', 'jpg', 'webp', 'svg']);
// redraw.ts has the words for these exit codes.
const [notAPicture, tooManyPixels, damaged] = [20, 21, 22];
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

/** Numbers of colours that are tried for a drawing, and the mean square error of a channel up to which it looks the same. */
const palettes = [16, 32, 64];
const unseenError = 12;
/** How many times smaller fewer colours make a drawing at most. A photograph is not worth the time. */
const maxSaved = 6;

type Drawn = Awaited<ReturnType<typeof encode>>;
const encode = (picture: Sharp, options: WebpOptions) => picture.webp(options).toBuffer({ resolveWithObject: true });
const smallest = (all: readonly [Drawn, ...Drawn[]]): Drawn =>
  all.reduce((least, it) => (it.data.length < least.data.length ? it : least));

/** The picture with the first palette in which it looks the same: a logo has few colours, and then takes a third of the bytes. */
async function inFewColours(picture: Sharp): Promise<Drawn[]> {
  const before = await picture.clone().ensureAlpha().raw().toBuffer();
  for (const colours of palettes) {
    const png = await picture.clone().png({ palette: true, colours, dither: 0, effort: 4 }).toBuffer();
    const after = await sharp(png).ensureAlpha().raw().toBuffer();
    if (errorBetween(before, after) <= unseenError) return [await encode(sharp(png), { lossless: true, effort: 6 })];
  }
  return [];
}

/** The mean square error of two pictures of RGBA. The colour of what is transparent does not count. */
function errorBetween(before: Buffer, after: Buffer): number {
  let sum = 0;
  for (let at = 0; at < before.length; at += 4) {
    const [wasOpaque, isOpaque] = [before[at + 3]! / 255, after[at + 3]! / 255];
    for (let channel = at; channel < at + 3; channel++)
      sum += (before[channel]! * wasOpaque - after[channel]! * isOpaque) ** 2;
    sum += (before[at + 3]! - after[at + 3]!) ** 2;
  }
  return sum / before.length;
}

const input = await buffer(process.stdin);
const lineEnd = input.indexOf('\n');
const {
  width,
  height,
  maxBytes = Infinity,
  plain = false,
  vector,
} = JSON.parse(input.subarray(0, lineEnd).toString('utf8')) as DrawTask;
let refusal = notAPicture;
try {
  const file = input.subarray(lineEnd + 1);
  const options = { failOn: 'error', ...(vector ? { density: 144 } : {}) } as const;
  // The size alone, which reads the head of the file.
  const { format, width: across, height: down } = await sharp(file, { ...options, limitInputPixels: false }).metadata();
  if (!format || !formats.has(format) || (format === 'svg') !== vector) process.exit(notAPicture);
  if (across * down > maxPixels) process.exit(tooManyPixels);
  refusal = damaged;
  const source = sharp(file, { ...options, limitInputPixels: maxPixels });
  const upright = await source.rotate().png({ compressionLevel: 1 }).toBuffer();
  const draw = async (share: number, quality: number) => {
    const sized = sharp(upright).resize({
      width: Math.round(width * share),
      height: Math.round(height * share),
      fit: 'inside',
      withoutEnlargement: true,
    });
    const drawn = await encode(sized.clone(), { quality, alphaQuality: 90, effort: 4 });
    if (!plain) return drawn;
    const exact = await encode(sized.clone(), { lossless: true, effort: 4 });
    const best = smallest([drawn, exact]);
    const mayHelp = best.data.length > maxBytes && exact.data.length < maxBytes * maxSaved;
    return mayHelp ? smallest([best, ...(await inFewColours(sized))]) : best;
  };
  let { data, info } = await draw(1, 82);
  const steps = plain ? smaller : coarser;
  for (const [share, quality] of steps) {
    if (data.length <= maxBytes) break;
    ({ data, info } = await draw(share, quality));
  }
  // Noise keeps its size at any quality. From the last step on only fewer pixels help.
  const [lastShare, lastQuality] = steps.at(-1)!;
  for (let share = lastShare * 0.8; data.length > maxBytes && share * width > 16; share *= 0.8)
    ({ data, info } = await draw(share, lastQuality));
  process.stdout.write(`${JSON.stringify({ width: info.width, height: info.height })}\n`);
  process.stdout.write(data);
} catch {
  process.exit(refusal);
}
