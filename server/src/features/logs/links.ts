import { timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { AppError } from '#http/app-error.ts';
import type { Secrets } from '#lib/secrets.ts';

const livesMs = 600_000;
const claims = z.tuple([z.uuid(), z.uuid(), z.uuid(), z.number()]);

export interface DownloadLink {
  readonly tenantId: string;
  readonly fileId: string;
  readonly userId: string;
}

const signatureOf = (secrets: Secrets, body: string): string => secrets.signBriefly(`log download ${body}`);

/** A link to a file that works for ten minutes without a token, because the browser opens it in a new tab. */
export function signLink(secrets: Secrets, { tenantId, fileId, userId }: DownloadLink, now = Date.now()): string {
  const body = Buffer.from(JSON.stringify([tenantId, fileId, userId, now + livesMs])).toString('base64url');
  return `/v1/logs/download/${body}.${signatureOf(secrets, body)}`;
}

/** What a link stands for; 404 for one that is not ours or too old. */
export function readLink(secrets: Secrets, token: string, now = Date.now()): DownloadLink {
  const [body = '', signature = ''] = token.split('.');
  const right = Buffer.from(signatureOf(secrets, body));
  const given = Buffer.from(signature);
  if (right.length !== given.length || !timingSafeEqual(right, given)) throw new AppError('file_link_over');
  const [tenantId, fileId, userId, until] = claims.parse(JSON.parse(Buffer.from(body, 'base64url').toString()));
  if (now > until) throw new AppError('file_link_over');
  return { tenantId, fileId, userId };
}
