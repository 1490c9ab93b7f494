import { type IdentityProof, identityProofs } from '@portico/contract/identity.ts';
import type { FoundLine } from '#features/logs/public.ts';
import type { SessionAt } from './identity.queries.ts';

/** What proves a line of the record. */
export function lineProof(line: Pick<FoundLine, 'proof'> | undefined): IdentityProof {
  if (!line?.proof) return 'unproven';
  return line.proof === 'certificate' || line.proof === 'operator' ? line.proof : 'address';
}

/** What proves that a session had its address. */
export const sessionProof = ({ reported }: Pick<SessionAt, 'reported'>): IdentityProof =>
  reported ? 'accounting' : 'portal';

const rank = (proof: IdentityProof): number => identityProofs.indexOf(proof);

/** What proves that a line leads to a guest: the line, or the session if that is weaker. */
export function tieProof(
  line: Pick<FoundLine, 'proof'> | undefined,
  session: Pick<SessionAt, 'reported'>,
): IdentityProof {
  const proof = lineProof(line);
  return session.reported || rank(proof) > rank('portal') ? proof : 'portal';
}

/** Only the lines with the strongest proof among them: a line that others could have sent never outweighs one they could not. */
export function strongest<L extends Pick<FoundLine, 'proof'>>(lines: readonly L[]): L[] {
  const best = Math.min(...lines.map(line => rank(lineProof(line))));
  return lines.filter(line => rank(lineProof(line)) === best);
}

/** Whether a stranger could not have made it up: it rests on a secret or a certificate of the device. */
export const isForgeryProof = (proof: IdentityProof): boolean => proof === 'certificate' || proof === 'accounting';

/** Whether its source was checked when it came. */
export const isProven = (proof: IdentityProof): boolean => proof !== 'unproven' && proof !== 'portal';
