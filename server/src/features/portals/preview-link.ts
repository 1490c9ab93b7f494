import { timingSafeEqual } from 'node:crypto';
import type { Secrets } from '#lib/secrets.ts';

const livesMs = 2 * 3_600_000;

interface Previewed {
  readonly tenantId: string;
  readonly portalId: string;
}

const signatureOf = (secrets: Secrets, { tenantId, portalId }: Previewed, until: string): string =>
  secrets.signBriefly(`portal draft ${tenantId} ${portalId} ${until}`);

/** Opens the draft of one portal in the preview, for two hours: the guests' origin knows no operators. */
export function signPreview(secrets: Secrets, portal: Previewed, now = Date.now()): string {
  const until = (now + livesMs).toString(36);
  return `${until}.${signatureOf(secrets, portal, until)}`;
}

/** Whether a token is ours, for this portal, and not too old. */
export function opensPreview(secrets: Secrets, portal: Previewed, token: string, now = Date.now()): boolean {
  const [until = '', signature = ''] = token.split('.', 2);
  const right = Buffer.from(signatureOf(secrets, portal, until));
  const given = Buffer.from(signature);
  return right.length === given.length && timingSafeEqual(right, given) && Number.parseInt(until, 36) > now;
}
