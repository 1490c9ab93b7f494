import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Embedded, startEmbedded } from '#db/embedded.ts';

/**
 * The attack: another service of the machine, which runs as nobody, connects to the embedded database as superuser or reads
 * its files. Only the product's own account may.
 */

const root = process.getuid?.() === 0;
const nobody = { uid: 65534, gid: 65534 };
const folder = mkdtempSync(path.join(tmpdir(), 'portico-nobody-'));
const home = path.join(folder, 'postgres');
let server: Embedded | undefined;
beforeAll(async () => {
  chmodSync(folder, 0o755);
  if (root) server = await startEmbedded(home);
});
afterAll(async () => {
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const can = (as: object, ...command: [string, ...string[]]): boolean =>
  spawnSync(command[0], command.slice(1), { ...as }).status === 0;

test.runIf(root)('the user nobody can neither reach the socket nor read the data', () => {
  const socket = path.join(home, '.s.PGSQL.5432');
  expect(can({}, 'test', '-S', socket)).toBe(true);
  expect(can(nobody, 'test', '-S', socket)).toBe(false);
  expect(can(nobody, 'cat', path.join(home, 'data/PG_VERSION'))).toBe(false);
  expect(can(nobody, 'ls', home)).toBe(false);
  expect([0, nobody.uid]).not.toContain(statSync(`/proc/${server!.pid()}`).uid);
});
