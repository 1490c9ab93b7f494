import { rename, writeFile } from 'node:fs/promises';
import { chainFile, readChain, type Sign, signedText } from './chain.ts';

/**
 * Signs the chain of a device for another installation. Only links whose signature is right are signed again, so that a forged
 * one stays recognizable. The hashes stay: a signature is no part of them. Returns how many links had a wrong signature.
 */
export async function signChainAgain(
  folder: string,
  device: string,
  { from, to }: { from: Sign; to: Sign },
): Promise<number> {
  const links = await readChain(folder);
  if (links.length === 0) return 0;
  let wrong = 0;
  const lines = links.map(link => {
    const text = signedText(device, link.chain);
    const isGenuine = from(text) === link.signature;
    if (!isGenuine) wrong += 1;
    return `${JSON.stringify(isGenuine ? { ...link, signature: to(text) } : link)}\n`;
  });
  const draft = `${chainFile(folder)}.draft`;
  await writeFile(draft, lines.join(''), { mode: 0o640, flush: true });
  await rename(draft, chainFile(folder));
  return wrong;
}
