import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Product } from './product.ts';

/** A limit for what hangs. A busy machine is slow, but not wrong. */
const patienceMs = 60_000;
const stepMs = 200;

/** Decodes quoted-printable. */
const plain = (eml: string) =>
  eml
    .replace(/=\r?\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));

/** Waits for a mail to `address` that matches `pattern`; returns the first group of the newest match. */
export async function mailed({ outbox }: Product, address: string, pattern: RegExp): Promise<string> {
  for (let waited = 0; waited < patienceMs; waited += stepMs) {
    for (const name of filesOf(outbox)) {
      const text = plain(readFileSync(path.join(outbox, name), 'utf8'));
      const found = text.includes(address) ? pattern.exec(text)?.[1] : undefined;
      if (found) return found;
    }
    await sleep(stepMs);
  }
  throw new Error(`no mail to ${address} holds ${pattern}`);
}

/** Waits for an SMS with a code to `phone`; returns the code of the newest. */
export async function texted({ outbox }: Product, phone: string): Promise<string> {
  for (let waited = 0; waited < patienceMs; waited += stepMs) {
    for (const name of filesOf(outbox, '.txt')) {
      const text = readFileSync(path.join(outbox, name), 'utf8');
      const code = text.startsWith(`To: ${phone}\n`) && /\b\d{6}\b/.exec(text.slice(text.indexOf('\n\n')))?.[0];
      if (code) return code;
    }
    await sleep(stepMs);
  }
  throw new Error(`no text message to ${phone} holds a code`);
}

function filesOf(outbox: string, ending = '.eml'): string[] {
  try {
    return readdirSync(outbox)
      .filter(name => name.endsWith(ending))
      .sort()
      .reverse();
  } catch {
    return [];
  }
}
