import { createHmac } from 'node:crypto';
import type { Stored } from '../kinds/kind.ts';

/**
 * The headers of the Standard Webhooks specification: id, time, and an HMAC-SHA256 over both and the body. They prove
 * the sender and the time. While a secret is being changed, the old and the new one both sign.
 */
export function signedHeaders(
  signing: Stored['signing'],
  it: { id: string; body: string },
  now = new Date(),
): Record<string, string> {
  const timestamp = String(Math.floor(now.getTime() / 1000));
  const old = signing?.old && Date.parse(signing.old.until) > now.getTime() ? [signing.old.secret] : [];
  const signatures = [...(signing ? [signing.secret] : []), ...old].map(secret => {
    const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
    return `v1,${createHmac('sha256', key).update(`${it.id}.${timestamp}.${it.body}`).digest('base64')}`;
  });
  return {
    'content-type': 'application/json',
    'webhook-id': it.id,
    'webhook-timestamp': timestamp,
    ...(signatures.length ? { 'webhook-signature': signatures.join(' ') } : {}),
  };
}
