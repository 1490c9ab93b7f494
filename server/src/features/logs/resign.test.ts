import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { createSecrets } from '#lib/secrets.ts';
import { afterFile } from '#test/after-file.ts';
import { appendLink, type Link, readChain, signedText } from './chain.ts';
import { signChainAgain } from './resign.ts';

const device = 'tenant/device';
const [old, other] = [createSecrets('the key of one installation'), createSecrets('the key of another one')];

test('a chain is signed again for another installation, but not a link that was forged', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'portico-resign-'));
  afterFile(() => rmSync(folder, { recursive: true }));
  const links: Link[] = [];
  const entry = (part: number, sign: (text: string) => string) =>
    appendLink(
      folder,
      { kind: 'file', file: `files/${part}`, day: '2026-11-03', part, type: 'dns', lines: 1, sha256: 'x' },
      { device, sign, links },
    );
  await entry(1, old.sign);
  await entry(2, () => 'f'.repeat(64));
  await entry(3, old.sign);
  // A crash left half a line.
  appendFileSync(path.join(folder, 'chain.jsonl'), '{"kind":');

  expect(await signChainAgain(folder, device, { from: old.sign, to: other.sign })).toBe(1);
  const again = await readChain(folder);
  expect(again.map(it => it.chain)).toEqual(links.map(it => it.chain));
  expect(again.map(it => it.signature === other.sign(signedText(device, it.chain)))).toEqual([true, false, true]);
});
