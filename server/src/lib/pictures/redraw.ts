import { spawn } from 'node:child_process';
import { buffer } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
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

/** Too many pictures wait, or the machine gave a drawing too little of its time. The picture may be fine. */
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
const maxCpuSeconds = 8;
/** How long a drawing may take by the clock. Other processes of the machine take most of that time, so it is no fault of the picture. */
export const patience = { ms: 60_000 };
/** Address space, of which Node.js itself reserves more than a gigabyte. */
const maxKilobytes = 4_000_000;
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

// The limits apply to the program that replaces the shell. Not every system can limit the address space.
const limited = `ulimit -t ${maxCpuSeconds}; ulimit -v ${maxKilobytes} 2>/dev/null; exec nice -n 5 "$0" "$1"`;

async function draw(file: Buffer, task: DrawTask): Promise<Picture | { readonly refused: DrawRefusal } | typeof busy> {
  const child = spawn('/bin/sh', ['-c', limited, process.execPath, program], {
    // No setting of the service, such as its key, reaches this process.
    env: { PATH: process.env['PATH'], VIPS_CONCURRENCY: '1', UV_THREADPOOL_SIZE: '1' },
    stdio: ['pipe', 'pipe', 'ignore'],
    timeout: patience.ms,
    killSignal: 'SIGKILL',
  });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  // A process that was killed does not read to the end.
  child.stdin.on('error', () => undefined);
  child.stdin.write(`${JSON.stringify(task)}\n`);
  child.stdin.end(file);
  const [output, code] = await Promise.all([buffer(child.stdout), ended]);
  // The limit of CPU time kills the process too, but not by way of this object.
  if (child.killed) return busy;
  if (code !== 0) return { refused: refusals[code ?? 1] ?? 'picture_heavy' };
  const lineEnd = output.indexOf('\n');
  const size = JSON.parse(output.subarray(0, lineEnd).toString('utf8')) as Pick<Picture, 'width' | 'height'>;
  return { bytes: output.subarray(lineEnd + 1), ...size };
}
