import { expect, test } from 'vitest';
import { matchingStep, newTotpSecret, stepAt, totpCode, totpUri } from './totp.ts';

// RFC 6238 appendix B: the ASCII secret "12345678901234567890", the last six of its eight digits.
const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';

test.for([
  [59, '287082'],
  [1111111109, '081804'],
  [1111111111, '050471'],
  [1234567890, '005924'],
  [2000000000, '279037'],
  [20000000000, '353130'],
] as const)('at %i s the code of RFC 6238 is %s', ([seconds, code]) => {
  expect(totpCode(secret, stepAt(seconds * 1000))).toBe(code);
});

test('a code is valid for its step and the ones before and after', () => {
  const now = 1_700_000_000_000;
  const step = stepAt(now);
  for (const near of [-1, 0, 1]) expect(matchingStep(secret, totpCode(secret, step + near), now)).toBe(step + near);
  for (const far of [-2, 2]) expect(matchingStep(secret, totpCode(secret, step + far), now)).toBeUndefined();
});

test('secrets are 160 bits of base32, and apps can read their address', () => {
  expect(newTotpSecret()).toMatch(/^[A-Z2-7]{32}$/);
  expect(newTotpSecret()).not.toBe(newTotpSecret());
  const uri = new URL(totpUri(secret, 'elif@example.com', 'Acme Ağları'));
  expect(uri.protocol).toBe('otpauth:');
  expect(decodeURIComponent(uri.pathname)).toContain('Acme Ağları:elif@example.com');
  expect(uri.searchParams.get('issuer')).toBe('Acme Ağları');
  expect(uri.searchParams.get('secret')).toBe(secret);
});
