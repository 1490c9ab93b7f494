import { appendFileSync, cpSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { createSecrets } from '#lib/secrets.ts';
import { stampVerifies } from '#lib/testing/openssl.ts';
import { readChain } from './chain.ts';
import { verifyLogs } from './logs.cli.ts';

// This record was sealed and stamped by version 0.5.0.
const kept = path.join(import.meta.dirname, 'testing/0.5.0');
const { sign } = createSecrets('a key for the tests, long enough');
const logs = path.join(kept, 'logs');
const tenantId = readdirSync(logs)[0]!;
const device = path.join(tenantId, readdirSync(path.join(logs, tenantId))[0]!);

test('a record of 0.5.0 passes the check, and a change in it is detected', async () => {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'portico-record-'));
  cpSync(logs, path.join(dataDir, 'logs'), { recursive: true });
  const lines: string[] = [];
  const verify = () => verifyLogs({ dataDir, sign, print: line => lines.push(line) });
  expect(await verify()).toBe(0);
  expect(lines.splice(0)).toEqual(['1 device: all files are unchanged']);
  appendFileSync(path.join(dataDir, 'logs', device, 'files/2026-03-11-firewall.log.gz'), 'x');
  expect(await verify()).toBe(1);
  expect(lines[0]).toContain('files/2026-03-11-firewall.log.gz: the file was changed');
});

test('its time stamp is valid', async () => {
  const folder = path.join(logs, device);
  const stamp = (await readChain(folder)).find(link => link.kind === 'stamp')!;
  const authority = readFileSync(path.join(kept, 'tsa.crt'), 'utf8');
  const bytes = readFileSync(path.join(folder, stamp.file));
  expect(stampVerifies(bytes, stamp.of, authority)).toBe(true);
  expect(stampVerifies(bytes, '00'.repeat(32), authority)).toBe(false);
});
