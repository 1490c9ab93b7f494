import { chmod, mkdir, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Settings } from '../settings.ts';

export interface Message {
  readonly id: string;
  /** E.164, such as +905321234567. */
  readonly to: string;
  readonly text: string;
}

/**
 * Resolves when the operator has accepted the message, or the file is in the outbox folder. Errors do not contain the
 * number.
 */
export type Gateway = (message: Message) => Promise<void>;

/** A location's own gateway. Returns the gateway's id of the message; rejects with a `code` and a message. */
export interface OwnGateway {
  readonly integrationId: string;
  readonly reportsDelivery: boolean;
  readonly send: (message: Message) => Promise<string>;
}

/** Sends by SMS_URL. Without it, messages become text files in DATA_DIR/outbox. */
export const openGateway = (settings: Settings): Gateway =>
  settings.SMS_URL ? http(settings, settings.SMS_URL) : folder(path.join(settings.DATA_DIR, 'outbox'));

const timeoutMs = 10_000;
const xml: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' };

/** Escapes a value for the body's type, so that no text breaks out of its place. */
export function escaperOf(contentType: string): (text: string) => string {
  if (/json/i.test(contentType)) return text => JSON.stringify(text).slice(1, -1);
  if (/xml/i.test(contentType)) return text => text.replace(/[&<>"']/g, it => xml[it]!);
  if (/urlencoded/i.test(contentType)) return encodeURIComponent;
  return text => text;
}

/** Fills the `{names}` of a template that have a value. Others stay. */
export const fillTemplate = (
  template: string,
  values: Readonly<Record<string, string>>,
  escape: (text: string) => string,
): string =>
  template.replace(/\{(\w+)\}/g, (place, name: string) =>
    Object.hasOwn(values, name) ? escape(values[name]!) : place,
  );

/** `{to}` is the number with its plus, `{number}` without it, `{text}` the message, `{id}` its id. */
const filled = (template: string, { id, to, text }: Message, escape: (text: string) => string): string =>
  fillTemplate(template, { id, to, number: to.slice(1), text }, escape);

function http({ SMS_METHOD, SMS_HEADERS, SMS_BODY }: Settings, url: string): Gateway {
  const headers = new Headers(SMS_HEADERS);
  if (SMS_METHOD === 'POST' && !headers.has('content-type')) headers.set('content-type', 'application/json');
  const escape = escaperOf(headers.get('content-type') ?? '');
  return async message => {
    const response = await fetch(filled(url, message, encodeURIComponent), {
      method: SMS_METHOD,
      headers,
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
      ...(SMS_METHOD === 'POST' && { body: filled(SMS_BODY, message, escape) }),
    });
    await response.body?.cancel();
    if (!response.ok) throw new Error(`The SMS gateway answered ${response.status}`);
  };
}

function folder(at: string): Gateway {
  return async ({ id, to, text }) => {
    await mkdir(at, { recursive: true, mode: 0o700 });
    // A folder of an earlier version may have other permissions.
    await chmod(at, 0o700);
    const name = `${new Date().toISOString().replace(/[:.]/g, '-')}-${id}.txt`;
    await writeFile(path.join(at, `.${name}.part`), `To: ${to}\n\n${text}\n`, { mode: 0o600 });
    await rename(path.join(at, `.${name}.part`), path.join(at, name));
  };
}
