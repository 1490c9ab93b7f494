import { chmod, mkdir, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Settings } from '../settings.ts';
import type { Attachment } from './mails.ts';

export interface Letter {
  readonly id: string;
  readonly from: string | { name: string; address: string };
  readonly to: string;
  readonly subject: string;
  readonly html: string;
  readonly text: string;
  readonly attachments: readonly Attachment[];
}

export interface Transport {
  /** Resolves when the mail server has accepted the mail, or the file is in the outbox folder. */
  readonly send: OwnTransport;
  close(): void;
}

/** Sends through a server, that of the installation or a location's own, until the signal. The sender of the latter is the location. */
export type OwnTransport = (letter: Letter, signal: AbortSignal) => Promise<void>;

/** Sends by SMTP_URL. Without it, mails become files in DATA_DIR/outbox that any mail program opens. */
export function openTransport(settings: Settings): Transport {
  return settings.SMTP_URL ? smtp(settings.SMTP_URL) : folder(path.join(settings.DATA_DIR, 'outbox'));
}

/** A mail in the format of nodemailer. */
export function letterMessage(letter: Letter) {
  const domain = (typeof letter.from === 'string' ? letter.from : letter.from.address)
    .split('@')[1]
    ?.replace(/[^\w.-]/g, '');
  return {
    from: letter.from,
    // An object, so that an address with a comma cannot become two.
    to: { name: '', address: letter.to },
    subject: letter.subject.replace(/\p{Cc}/gu, ' '),
    html: letter.html,
    text: letter.text,
    attachments: letter.attachments.map(({ name, type, text }) => ({
      filename: name,
      contentType: type,
      content: text,
    })),
    // The same id at every attempt, so that a repeated mail is recognised as one.
    messageId: `<${letter.id}@${domain || 'localhost'}>`,
    headers: { 'auto-submitted': 'auto-generated', 'x-auto-response-suppress': 'All' },
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

/** Loads nodemailer and makes the mailer at the first mail. */
function lazyMailer<T extends { close(): void }>(make: (nodemailer: typeof import('nodemailer')) => T) {
  let mailer: Promise<T> | undefined;
  return {
    get: () => (mailer ??= import('nodemailer').then(make)),
    close: () => void mailer?.then(it => it.close()),
  };
}

function smtp(url: string): Transport {
  const mailer = lazyMailer(({ createTransport }) =>
    createTransport(url, {
      pool: true,
      maxConnections: 2,
      connectionTimeout: 15_000,
      greetingTimeout: 15_000,
      socketTimeout: 30_000,
    } as object),
  );
  return {
    send: async (letter, signal) => {
      await (await mailer.get()).sendMail({ ...letterMessage(letter), ...{ signal } });
    },
    close: mailer.close,
  };
}

function folder(at: string): Transport {
  const mailer = lazyMailer(({ createTransport }) =>
    createTransport({ streamTransport: true, buffer: true, newline: 'unix' }),
  );
  return {
    send: async letter => {
      const { message } = await (await mailer.get()).sendMail(letterMessage(letter));
      await mkdir(at, { recursive: true, mode: 0o700 });
      // A folder of an earlier version may have other permissions.
      await chmod(at, 0o700);
      const name = `${new Date().toISOString().replace(/[:.]/g, '-')}-${letter.id}.eml`;
      await writeFile(path.join(at, `.${name}.part`), message as Buffer, { mode: 0o600 });
      await rename(path.join(at, `.${name}.part`), path.join(at, name));
    },
    close: mailer.close,
  };
}
