/** The transport of a line. */
export type Transport = 'udp' | 'tcp' | 'tls';

/**
 * How a device proved that an address is its own: RADIUS over TLS, RADIUS with its secret, or a poll with its token.
 * `operator`: a person marked the address as trusted.
 */
export type AddressProof = 'radsec' | 'radius' | 'poll' | 'operator';

/** The proof of the device of a line: the certificate of its TLS connection, or the proof of its source address. */
export type LineProof = 'certificate' | AddressProof;

/** Strongest first. */
export const lineProofs: readonly LineProof[] = ['certificate', 'radsec', 'radius', 'poll', 'operator'];

/** The stronger of two proofs. */
export const stronger = <P extends LineProof>(a: P | undefined, b: P): P =>
  a !== undefined && lineProofs.indexOf(a) <= lineProofs.indexOf(b) ? a : b;
