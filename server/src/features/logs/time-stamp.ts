import { randomBytes } from 'node:crypto';
import type { TSTInfo } from 'pkijs';
import { loadPki } from '#lib/certificates.ts';
import { outboundRequest } from '#lib/outbound-http.ts';

const sha256Oid = '2.16.840.1.101.3.4.2.1';
const maxBytes = 65_536;
const timeoutMs = 15_000;

const bufferOf = (bytes: Uint8Array): ArrayBuffer => new Uint8Array(bytes).buffer;

/** A TimeStampReq (RFC 3161, section 2.4.1) for a SHA-256 hash. Requests the certificate too, so that the stamp can be verified by itself. */
async function stampRequest(hash: Buffer, nonce: Buffer): Promise<ArrayBuffer> {
  const { asn1, pki } = await loadPki();
  const request = new pki.TimeStampReq({
    version: 1,
    messageImprint: new pki.MessageImprint({
      hashAlgorithm: new pki.AlgorithmIdentifier({ algorithmId: sha256Oid, algorithmParams: new asn1.Null() }),
      hashedMessage: new asn1.OctetString({ valueHex: bufferOf(hash) }),
    }),
    nonce: new asn1.Integer({ valueHex: bufferOf(nonce) }),
    certReq: true,
  });
  return request.toSchema().toBER();
}

/** The signed TSTInfo of a response. Throws if the authority refused. */
async function stampOf(answer: Buffer): Promise<TSTInfo> {
  const { pki } = await loadPki();
  const { status, timeStampToken } = pki.TimeStampResp.fromBER(new Uint8Array(answer));
  if (status.status !== pki.PKIStatus.granted && status.status !== pki.PKIStatus.grantedWithMods)
    throw new Error(`The time-stamp authority refused: status ${status.status}`);
  if (!timeStampToken) throw new Error('The time-stamp authority sent no stamp');
  const content = new pki.SignedData({ schema: timeStampToken.content }).encapContentInfo.eContent;
  if (!content) throw new Error('The time stamp is empty');
  return pki.TSTInfo.fromBER(content.getValue());
}

/**
 * Throws unless a response is a granted stamp of this hash and nonce (RFC 3161, section 2.4.2). `openssl ts -verify` checks the
 * signature of the authority, with the certificates that the operator trusts.
 */
export async function checkStamp(answer: Buffer, hash: Buffer, nonce: Buffer): Promise<void> {
  const { messageImprint, nonce: answered } = await stampOf(answer);
  const isSame =
    messageImprint.hashAlgorithm.algorithmId === sha256Oid &&
    hash.equals(messageImprint.hashedMessage.valueBlock.valueHexView);
  if (!isSame) throw new Error('The time stamp is for another hash');
  if (!answered || !nonce.equals(answered.valueBlock.valueHexView)) throw new Error('The time stamp has another nonce');
}

/** Asks an authority (RFC 3161 over HTTP, section 3.4) to stamp a SHA-256 hash; returns its response unchanged. */
export async function requestStamp(url: string, hash: Buffer): Promise<Buffer> {
  const nonce = randomBytes(8);
  // A positive integer of exactly 8 bytes.
  nonce[0] = (nonce[0]! & 0x3f) | 0x40;
  // Often over plain HTTP, where anyone on the way may answer: nothing is unpacked, and no more is read than fits.
  const { status, bytes: answer } = await outboundRequest({
    url,
    method: 'POST',
    headers: { 'content-type': 'application/timestamp-query', accept: 'application/timestamp-reply' },
    body: new Uint8Array(await stampRequest(hash, nonce)),
    allowInside: true,
    timeoutMs,
    maxBytes: maxBytes + 1,
  });
  if (status < 200 || status > 299) throw new Error(`The time-stamp authority answered ${status}`);
  if (answer.length > maxBytes) throw new Error('The response of the time-stamp authority is too large');
  await checkStamp(answer, hash, nonce);
  return answer;
}
