import { createECDH } from 'node:crypto';
import { expect, test } from 'vitest';
import { encryptPush, isPoint, makeVapidKeys } from './web-push.ts';

const bytes = (text: string) => Buffer.from(text, 'base64url');

test('encrypts the example of RFC 8291', () => {
  const key = createECDH('prime256v1');
  key.setPrivateKey(bytes('yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw'));
  const p256dh = 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4';
  const subscriber = { endpoint: 'https://push.example.net/', keys: { p256dh, auth: 'BTBZMqHH6r4Tts7J_aSIgg' } };
  const sent = encryptPush('When I grow up, I want to be a watermelon', subscriber, {
    salt: bytes('DGv6ra1nlYgDCS1FRnbzlw'),
    key,
  });
  expect(sent.toString('base64url')).toBe(
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
  );
});

test('refuses what does not fit into one record, and keys that are no point of the curve', () => {
  const { publicKey } = makeVapidKeys();
  const subscriber = {
    endpoint: 'https://push.example.net/',
    keys: { p256dh: publicKey, auth: 'BTBZMqHH6r4Tts7J_aSIgg' },
  };
  expect(encryptPush('x'.repeat(3993), subscriber)).toHaveLength(4096);
  expect(() => encryptPush('x'.repeat(3994), subscriber)).toThrow(RangeError);
  expect(isPoint(publicKey)).toBe(true);
  const offCurve = Buffer.concat([Buffer.from([4]), Buffer.alloc(64, 1)]);
  for (const bad of ['', publicKey.slice(0, 40), offCurve.toString('base64url')]) expect(isPoint(bad), bad).toBe(false);
});
