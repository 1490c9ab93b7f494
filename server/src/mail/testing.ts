import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { App } from '#lib/app.ts';
import { sendMails } from './mail.jobs.ts';

export interface ReadMail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly files: readonly { readonly name: string; readonly text: string }[];
}

const unfold = (head: string): string => head.replace(/\r?\n[ \t]+/g, ' ');
const words = (value: string): string =>
  value.replace(/=\?utf-8\?(q|b)\?([^?]*)\?=\s*/gi, (_all, kind: string, body: string) =>
    kind.toLowerCase() === 'b' ? Buffer.from(body, 'base64').toString('utf8') : quoted(body.replaceAll('_', ' ')),
  );
const quoted = (body: string): string =>
  Buffer.from(
    body
      .replace(/=\r?\n/g, '')
      .replace(/=([0-9A-F]{2})/gi, (_all, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  ).toString('utf8');

function decode(part: string): string {
  const [head = '', ...rest] = part.split(/\r?\n\r?\n/);
  const body = rest.join('\n\n');
  if (/base64/i.test(head)) return Buffer.from(body, 'base64').toString('utf8');
  return /quoted-printable/i.test(head) ? quoted(body) : body;
}

/** The leaf parts of a multipart mail. */
function leaves(part: string): string[] {
  const head = unfold(part.slice(0, part.search(/\r?\n\r?\n/)));
  const boundary = /boundary="([^"]+)"/.exec(head)?.[1];
  if (!boundary) return [part];
  return part
    .split(`--${boundary}`)
    .slice(1, -1)
    .flatMap(it => leaves(it.trimStart()));
}

/** The readable text of a raw mail. */
export function readMail(raw: string): ReadMail {
  const head = unfold(raw.slice(0, raw.search(/\r?\n\r?\n/)));
  const field = (name: string) => words(new RegExp(`^${name}: (.*)$`, 'im').exec(head)?.[1] ?? '').trim();
  const parts = leaves(raw);
  const part = (type: string) => decode(parts.find(it => it.slice(0, 300).includes(type)) ?? '');
  const files = parts.flatMap(it => {
    const name = /filename="?([^"\r\n;]+)/.exec(it.slice(0, 600))?.[1];
    return name ? [{ name, text: decode(it) }] : [];
  });
  return { to: field('to'), subject: field('subject'), text: part('text/plain'), html: part('text/html'), files };
}

/** Sends due mails and returns the files of DATA_DIR/outbox, oldest first. The files are removed. */
export async function takeMails(app: App): Promise<ReadMail[]> {
  await sendMails(app);
  const folder = path.join(app.settings.DATA_DIR, 'outbox');
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter(file => file.endsWith('.eml'))
    .sort()
    .map(file => {
      const raw = readFileSync(path.join(folder, file), 'utf8');
      rmSync(path.join(folder, file));
      return readMail(raw);
    });
}
