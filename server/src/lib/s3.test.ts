import { expect, test } from 'vitest';
import { signRequest } from './s3.ts';

// The examples of "Authenticating Requests: Using the Authorization Header (AWS Signature Version 4)".
const key = {
  region: 'us-east-1',
  keyId: 'AKIAIOSFODNN7EXAMPLE',
  secret: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
};
const empty = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
const common = {
  host: 'examplebucket.s3.amazonaws.com',
  'x-amz-content-sha256': empty,
  'x-amz-date': '20130524T000000Z',
};
const signed = (url: string, headers: Record<string, string> = {}) =>
  signRequest({ method: 'GET', url: new URL(url), headers: { ...common, ...headers } }, key);

test('requests are signed as the published examples are', () => {
  const base = 'https://examplebucket.s3.amazonaws.com/';
  expect(signed(`${base}test.txt`, { range: 'bytes=0-9' })).toBe(
    'AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request,' +
      'SignedHeaders=host;range;x-amz-content-sha256;x-amz-date,' +
      'Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
  );
  expect(signed(`${base}?max-keys=2&prefix=J`)).toMatch(
    /Signature=34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7$/,
  );
});
