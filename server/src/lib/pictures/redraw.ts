import { fileURLToPath } from 'node:url';
import { type Ended, NotStarted, runLimited } from '../limited-process.ts';
import { createSharedTurn } from '../shared-turn.ts';
import { looksLikeSvg, type SvgRefusal, svgRefusal, withoutDoctype } from './svg-check.ts';

export interface Picture {
  readonly bytes: Buffer;
  readonly width: number;
  readonly height: number;
}

/** Why an upload is not drawn: a message of the contract. */
export type PictureRefusal = SvgRefusal | DrawRefusal;
type DrawRefusal = 'file_type' | 'picture_pixels' | 'picture_damaged' | 'picture_heavy';

/** By the exit code of the child process. */
const refusals: Partial<Record<number, DrawRefusal>> = {
  20: 'file_type',
  21: 'picture_pixels',
  22: 'picture_damaged',
};

/** Too many pictures wait, or the machine gave a drawing too little of its time or no process. The picture may be fine. */
export const busy = Symbol('busy');

/** The first line that the child process gets; the file follows. */
export interface DrawTask {
  readonly width: number;
  readonly height: number;
  /** The picture is drawn more coarsely, then smaller, until it has at most this size. */
  readonly maxBytes?: number | undefined;
  /** Often a drawing with few colours, which loses nothing where that takes fewer bytes, and is drawn smaller before it is drawn coarsely. */
  readonly plain?: boolean | undefined;
  readonly vector: boolean;
}

const program = fileURLToPath(new URL('draw.ts', import.meta.url));
/** How long a drawing may take by the clock. Other processes of the machine take most of that time, so it is no fault of the picture. */
export const patience = { ms: 60_000 };
/** Node.js itself reserves more than a gigabyte of the address space. */
const limits = { cpuSeconds: 8, kilobytes: 4_000_000, nice: 5 };
const turn = createSharedTurn(10);

/**
 * Draws a PNG, JPEG, WebP or SVG again as WebP, at most `width` × `height` pixels. The file name does not matter. Nothing of
 * the upload remains but its look: no scripts, no position data. A child process draws, one at a time and with limits, so
 * that a hostile file cannot stop the service. Tenants take turns.
 */
export async function redraw(
  upload: Buffer,
  { owner, width, height, maxBytes, plain }: Omit<DrawTask, 'vector'> & { readonly owner: string },
): Promise<Picture | { readonly refused: PictureRefusal } | typeof busy> {
  const vector = looksLikeSvg(upload);
  const svg = vector ? withoutDoctype(upload.toString('utf8')) : '';
  const refused = vector ? svgRefusal(svg) : undefined;
  if (refused) return { refused };
  const drawn = turn(owner, () => draw(vector ? Buffer.from(svg) : upload, { width, height, maxBytes, plain, vector }));
  return drawn ?? busy;
}

async function draw(file: Buffer, task: DrawTask): Promise<Picture | { readonly refused: DrawRefusal } | typeof busy> {
  let ended: Ended;
  try {
    ended = await runLimited(
      [process.execPath, program],
      [`${JSON.stringify(task)}\n`, file],
      { ...limits, ms: patience.ms },
      { PATH: process.env['PATH'], VIPS_CONCURRENCY: '1', UV_THREADPOOL_SIZE: '1' },
    );
  } catch (error) {
    if (error instanceof NotStarted) return busy;
    throw error;
  }
  const { code, output, isLate } = ended;
  // The limit of CPU time ends the process too, but that is no lateness.
  if (isLate) return busy;
  if (code !== 0) return { refused: refusals[code ?? 1] ?? 'picture_heavy' };
  const lineEnd = output.indexOf('\n');
  const size = JSON.parse(output.subarray(0, lineEnd).toString('utf8')) as Pick<Picture, 'width' | 'height'>;
  return { bytes: output.subarray(lineEnd + 1), ...size };
}
