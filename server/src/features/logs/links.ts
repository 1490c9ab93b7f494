import { timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { AppError } from '#http/app-error.ts';
import type { Secrets } from '#lib/secrets.ts';

const validMs = 600_000;
const claims = z.tuple([z.uuid(), z.uuid(), z.uuid(), z.number()]);

export interface DownloadLink {
  readonly tenantId: string;
  readonly fileId: string;
  readonly userId: string;
}

const signatureOf = (secrets: Secrets, body: string): string => secrets.signBriefly(`log download ${body}`);

/** A download link. It works without a token, because the browser opens it in a new tab, and for ten minutes. */
export function signLink(secrets: Secrets, { tenantId, fileId, userId }: DownloadLink, now = Date.now()): string {
  const body = Buffer.from(JSON.stringify([tenantId, fileId, userId, now + validMs])).toString('base64url');
  return `/v1/logs/download/${body}.${signatureOf(secrets, body)}`;
}

/** Verifies a link and returns its content; 404 if it is forged or has expired. */
export function readLink(secrets: Secrets, token: string, now = Date.now()): DownloadLink {
  const [body = '', signature = ''] = token.split('.');
  const expected = Buffer.from(signatureOf(secrets, body));
  const given = Buffer.from(signature);
  if (expected.length !== given.length || !timingSafeEqual(expected, given)) throw new AppError('file_link_over');
  const [tenantId, fileId, userId, until] = claims.parse(JSON.parse(Buffer.from(body, 'base64url').toString()));
  if (now > until) throw new AppError('file_link_over');
  return { tenantId, fileId, userId };
}
