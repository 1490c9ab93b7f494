export interface Picture {
  readonly bytes: Buffer;
  readonly width: number;
  readonly height: number;
}

// An upload of a few hundred bytes can unfold to gigabytes of pixels.
const maxPixels = 40_000_000;
const formats = new Set(['png', 'jpeg', 'jpg', 'webp', 'svg']);
// What an SVG may not hold, even though it is drawn here and never sent on: it could read files or eat memory. Each part ends
// soon, whatever follows: what looks far ahead from every place takes minutes over a file made for it.
const unsafeSvg =
  /<!DOCTYPE|<!ENTITY|<\s*(script|foreignObject|iframe)|\bhref\s*=\s*["']\s*(?!#|data:image\/(png|jpe?g|webp))|\son\w+\s*=|@import|url\(\s*["']?\s*(?!#)/i;

/**
 * Reads a PNG, JPEG, WebP or SVG whatever its name says and draws it anew as WebP, at most `width` × `height` pixels:
 * nothing of the upload but its look remains (no scripts, no place of taking). Undefined when it is none of these, broken
 * or too large to unfold.
 */
export async function redraw(upload: Buffer, maxSize: { width: number; height: number }): Promise<Picture | undefined> {
  try {
    const vector = looksLikeSvg(upload);
    // Drawing programs write a doctype that names the format only.
    const drawn = vector ? Buffer.from(upload.toString('utf8').replace(/<!DOCTYPE[^<>[]*>/i, '')) : upload;
    if (vector && unsafeSvg.test(drawn.toString('utf8'))) return undefined;
    const { default: sharp } = await import('sharp');
    const source = sharp(drawn, {
      limitInputPixels: maxPixels,
      failOn: 'error',
      ...(vector ? { density: 144 } : {}),
    });
    const { format } = await source.metadata();
    if (!format || !formats.has(format) || (format === 'svg') !== vector) return undefined;
    const { data, info } = await source
      .rotate()
      .resize({ ...maxSize, fit: 'inside', withoutEnlargement: true })
      .webp({ quality: 82, alphaQuality: 90, effort: 4 })
      .timeout({ seconds: 10 })
      .toBuffer({ resolveWithObject: true });
    return { bytes: data, width: info.width, height: info.height };
  } catch {
    return undefined;
  }
}

const looksLikeSvg = (bytes: Buffer): boolean =>
  /^﻿?\s*<(\?xml|svg|!--|!doctype)/i.test(bytes.subarray(0, 256).toString('utf8'));
