import { createHash } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { restoreFiles } from '../../services/backup-files.ts';
import { placeOf } from '../../services/backup-places.ts';

/** A user who may write into the folder of the backups waits until root restores one, and wants a file of root. */

const root = mkdtempSync(path.join(tmpdir(), 'portico-links-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

test('a link in a backup, and a file that its manifest does not name, are not restored', async () => {
  const backup = path.join(root, 'backup');
  const data = path.join(root, 'data');
  const precious = path.join(root, 'shadow');
  writeFileSync(precious, 'precious');
  chmodSync(precious, 0o600);
  mkdirSync(path.join(backup, 'files/logs/device'), { recursive: true });
  mkdirSync(path.join(backup, 'files/etc'));
  mkdirSync(data);
  // The product’s user. Only root can give it the files.
  const isRoot = process.getuid?.() === 0;
  if (isRoot) chownSync(data, 12_345, 12_345);
  writeFileSync(path.join(backup, 'files/logs/device/a.log'), 'a line');
  writeFileSync(path.join(backup, 'files/etc/passwd'), 'not a folder of ours');
  const place = placeOf(root, { BACKUP_S3_REGION: '' });
  const read = async (file: string) => {
    const content = await place.open('backup', file);
    if (!content) throw new Error(`${file} is missing`);
    return content;
  };
  const entry = (file: string, content: string) => ({
    path: file,
    bytes: content.length,
    sha256: createHash('sha256').update(content).digest('hex'),
  });
  const line = entry('files/logs/device/a.log', 'a line');
  const manifest = [line, entry('files/etc/passwd', 'not a folder of ours')];
  writeFileSync(path.join(backup, 'files/logs/device/added.log'), 'added later');
  symlinkSync(precious, path.join(backup, 'files/logs/device/link.log'));
  symlinkSync(root, path.join(backup, 'files/uploads'));

  await restoreFiles(read, manifest, data);
  // A manifest that the attacker wrote, who knows what is in the file.
  for (const file of ['files/logs/device/link.log', 'files/uploads/shadow'])
    await expect(restoreFiles(read, [entry(file, 'precious')], data), file).rejects.toThrow(`${file} is missing`);
  await restoreFiles(read, [entry('files/logs/../../../shadow', 'precious')], data);
  // Changed after it was verified.
  await expect(restoreFiles(read, [{ ...line, path: 'files/logs/device/added.log' }], data)).rejects.toThrow(
    'files/logs/device/added.log is not as it was backed up',
  );
  rmSync(path.join(data, 'logs/device/added.log'));

  const owner = isRoot ? 12_345 : process.getuid!();
  for (const name of ['logs', 'logs/device', 'logs/device/a.log'])
    expect(lstatSync(path.join(data, name)).uid, name).toBe(owner);
  for (const name of ['logs/device/link.log', 'logs/device/added.log', 'uploads', 'etc'])
    expect(lstatSync(path.join(data, name), { throwIfNoEntry: false }), name).toBeUndefined();
  expect(statSync(precious)).toMatchObject({ uid: process.getuid!(), mode: 0o100600 });
});
