import { type IdentityProof, identityProofs } from '@portico/contract/identity.ts';
import type { FoundLine } from '#features/logs/public.ts';
import type { SessionAt } from './identity.queries.ts';

/** The proof of a log line. */
export function lineProof(line: Pick<FoundLine, 'proof'> | undefined): IdentityProof {
  if (!line?.proof) return 'unproven';
  return line.proof === 'certificate' || line.proof === 'operator' ? line.proof : 'address';
}

/** The proof that a session had its address. */
export const sessionProof = ({ reported }: Pick<SessionAt, 'reported'>): IdentityProof =>
  reported ? 'accounting' : 'portal';

const rank = (proof: IdentityProof): number => identityProofs.indexOf(proof);

/** The proof that a line belongs to a guest: the weaker one of the line and the session. */
export function tieProof(
  line: Pick<FoundLine, 'proof'> | undefined,
  session: Pick<SessionAt, 'reported'>,
): IdentityProof {
  const proof = lineProof(line);
  return session.reported || rank(proof) > rank('portal') ? proof : 'portal';
}

/** The rank of a line: the stronger its proof, the lower. A line that others could have sent must not outweigh one that they could not. */
export const lineRank = (line: Pick<FoundLine, 'proof'>): number => rank(lineProof(line));

/** Whether it cannot be forged, because it needs a secret or a certificate of the device. */
export const isUnforgeable = (proof: IdentityProof): boolean => proof === 'certificate' || proof === 'accounting';

/** Whether the source was checked when it was received. */
export const isProven = (proof: IdentityProof): boolean => proof !== 'unproven' && proof !== 'portal';
