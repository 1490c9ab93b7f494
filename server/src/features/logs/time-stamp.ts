import { randomBytes } from 'node:crypto';
import { der, integer, readValue, sequence } from '#lib/der.ts';

const sha256Oid = Buffer.from('0609608648016503040201', 'hex');
const derNull = Buffer.from('0500', 'hex');
const yes = Buffer.from('0101ff', 'hex');
const maxBytes = 65_536;
const timeoutMs = 15_000;

/** What is stamped, as RFC 3161 section 2.4.1 has it: the algorithm and the hash. */
const imprint = (hash: Buffer): Buffer => sequence(sequence(sha256Oid, derNull), der(0x04, hash));

/** A TimeStampReq for a SHA-256 hash; the certificate of the authority is asked for, so that the stamp can be checked by itself. */
export const stampRequest = (hash: Buffer, nonce: Buffer): Buffer =>
  sequence(integer(Buffer.from([1])), imprint(hash), integer(nonce), yes);

/** Throws unless an answer grants a stamp of this very hash (RFC 3161 section 2.4.2). Whose signature it bears is for `openssl ts -verify`. */
export function checkStamp(answer: Buffer, hash: Buffer, nonce: Buffer): void {
  const response = readValue(answer);
  const status = readValue(response.content);
  const granted = readValue(status.content);
  const code = granted.content[0];
  if (response.tag !== 0x30 || granted.tag !== 0x02 || (code !== 0 && code !== 1))
    throw new Error(`The time-stamp authority refused: status ${code ?? 'unknown'}`);
  const token = response.content.subarray(status.end);
  if (token.length === 0) throw new Error('The time-stamp authority sent no stamp');
  if (!token.includes(hash)) throw new Error('The time stamp is of something else');
  if (!token.includes(integer(nonce))) throw new Error('The time stamp answers another request');
}

/** Asks an authority (RFC 3161 over HTTP, section 3.4) to stamp a SHA-256 hash; answers its response as it came. */
export async function requestStamp(url: string, hash: Buffer): Promise<Buffer> {
  const nonce = randomBytes(8);
  nonce[0] = (nonce[0] as number) | 0x40;
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/timestamp-query', accept: 'application/timestamp-reply' },
    body: new Uint8Array(stampRequest(hash, nonce)),
    signal: AbortSignal.timeout(timeoutMs),
    redirect: 'error',
  });
  if (!response.ok) throw new Error(`The time-stamp authority answered ${response.status}`);
  const answer = Buffer.from(await response.arrayBuffer());
  if (answer.length > maxBytes) throw new Error('The time-stamp authority answered too much');
  checkStamp(answer, hash, nonce);
  return answer;
}
