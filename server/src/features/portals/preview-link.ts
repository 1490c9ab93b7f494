import { timingSafeEqual } from 'node:crypto';
import type { Secrets } from '#lib/secrets.ts';

const lifetimeMs = 2 * 3_600_000;

interface PreviewedPortal {
  readonly tenantId: string;
  readonly portalId: string;
}

const signatureOf = (secrets: Secrets, { tenantId, portalId }: PreviewedPortal, until: string): string =>
  secrets.signBriefly(`portal draft ${tenantId} ${portalId} ${until}`);

/** A token for the preview of one portal's draft, because operators have no session on the guest origin. Valid for two hours. */
export function signPreview(secrets: Secrets, portal: PreviewedPortal, now = Date.now()): string {
  const until = (now + lifetimeMs).toString(36);
  return `${until}.${signatureOf(secrets, portal, until)}`;
}

/** Whether a token belongs to this portal and has not expired. */
export function isValidPreviewToken(
  secrets: Secrets,
  portal: PreviewedPortal,
  token: string,
  now = Date.now(),
): boolean {
  const [until = '', signature = ''] = token.split('.', 2);
  const expected = Buffer.from(signatureOf(secrets, portal, until));
  const given = Buffer.from(signature);
  return expected.length === given.length && timingSafeEqual(expected, given) && Number.parseInt(until, 36) > now;
}
