import { z } from 'zod';

/** The messages of browsers and servers about passkeys: the JSON forms of WebAuthn level 3, as far as they are used here. */

const bytes = (most: number) =>
  z
    .string()
    .min(1)
    .max(most)
    .regex(/^[\w-]+$/);
const credentialId = bytes(1400);
const transports = z.array(z.string());

/** The signed answer of a passkey. */
export const passkeyAnswer = z.object({
  id: credentialId,
  response: z.object({
    clientDataJSON: bytes(4000),
    authenticatorData: bytes(2000),
    signature: bytes(2000),
    userHandle: bytes(100).nullish(),
  }),
});
export type PasskeyAnswer = z.output<typeof passkeyAnswer>;

/** A new passkey. */
export const newPasskey = z.object({
  id: credentialId,
  response: z.object({
    clientDataJSON: bytes(4000),
    attestationObject: bytes(12_000),
    transports: z.array(z.string().max(32)).max(10).default([]),
  }),
});
export type NewPasskey = z.output<typeof newPasskey>;

const credential = z.object({ id: z.string(), type: z.literal('public-key'), transports });

/** Asks for a signature. Without `allowCredentials` the browser offers every passkey of this host. */
export const passkeyRequest = z.object({
  challenge: z.string(),
  rpId: z.string(),
  timeout: z.number(),
  userVerification: z.literal('required'),
  allowCredentials: z.array(credential),
});
export type PasskeyRequest = z.output<typeof passkeyRequest>;

/** Asks for a new passkey. */
export const passkeyCreation = z.object({
  challenge: z.string(),
  rp: z.object({ id: z.string(), name: z.string() }),
  user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
  pubKeyCredParams: z.array(z.object({ type: z.literal('public-key'), alg: z.number() })),
  timeout: z.number(),
  attestation: z.literal('none'),
  excludeCredentials: z.array(credential),
  authenticatorSelection: z.object({
    residentKey: z.literal('required'),
    requireResidentKey: z.literal(true),
    userVerification: z.literal('required'),
  }),
});
export type PasskeyCreation = z.output<typeof passkeyCreation>;
