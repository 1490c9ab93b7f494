import { chownSync, existsSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { frozenTenant } from '#features/moves/public.ts';
import type { App } from '#lib/app.ts';
import { createSecrets, type HashKeys, type Secrets } from '#lib/secrets.ts';
import type { Settings } from '../settings.ts';
import { knownSecretKey } from '../settings-secret.ts';
import { beginRotation, endRotation, readInstallation } from './installation.queries.ts';
import {
  type EncryptedColumn,
  encryptedColumns,
  haveEnded,
  keyColumnsOf,
  nextTransaction,
  type RowKey,
  readTexts,
  replaceText,
} from './key-rotation.queries.ts';
import { fingerprint, requireKeys, switchEveryMs } from './secret-key.ts';

const batch = 500;
/** After this time, every process uses the new key. */
const settleMs = 3 * switchEveryMs;
const maxWaitMs = 10 * 60_000;

export interface Rotated {
  readonly fingerprint: string;
  readonly changed: number;
  /** Values that neither key can decrypt. They were unreadable before. */
  readonly unreadable: number;
}

type Parts = Pick<App, 'db' | 'settings'>;

/**
 * Encrypts every value again with SECRET_KEY that SECRET_KEY_PREVIOUS encrypted, while the product runs with both keys. Each
 * batch is one transaction, so that another run continues where one was killed. The fingerprint moves at the end.
 */
export async function rotateKey(app: Parts, print: (line: string) => void): Promise<Rotated> {
  const { key, previous, hashKeys } = await requireKeys(app.db, app.settings);
  if (previous === undefined || previous === key)
    throw new Error(
      'There is no previous key: set SECRET_KEY_PREVIOUS to the key until now and SECRET_KEY to a new one, restart every process, and run this again',
    );
  await refuseWhileMoving(app);
  const own = fingerprint(key);
  await app.db.withSystem(tx => beginRotation(tx, own));
  const { rotating_for } = await app.db.withSystem(readInstallation);
  await sleep(Math.max(0, settleMs - (rotating_for ?? 0) * 1000));

  const last = await app.db.withSystem(nextTransaction);
  let ended = false;
  const keys = { now: createSecrets(key), before: createSecrets(previous) };
  let changed = 0;
  for (;;) {
    const pass = { changed: 0, unreadable: 0 };
    for (const at of encryptedColumns) {
      const done = await rotateColumn(app, keys, at);
      pass.changed += done.changed;
      pass.unreadable += done.unreadable;
      if (done.changed > 0) print(`${nameOf(at)}  ${done.changed}`);
    }
    changed += pass.changed;
    if (pass.changed > 0) continue;
    // A pass without changes proves that nothing is left, once no transaction with the old key is open.
    if (!ended) {
      await waitForOthers(app, last, print);
      ended = true;
      continue;
    }
    await refuseWhileMoving(app);
    const kept = keys.now.encrypt(JSON.stringify(hashKeys));
    await app.db.withSystem(tx => endRotation(tx, own, kept));
    keepForLogs(app.settings, kept);
    return { fingerprint: own, changed, unreadable: pass.unreadable };
  }
}

/** Throws while a tenant is frozen: its values would keep the old key. */
async function refuseWhileMoving({ db }: Parts): Promise<void> {
  const slug = await db.withSystem(frozenTenant);
  if (slug !== undefined)
    throw new Error(`The tenant ${slug} is being moved: confirm or cancel the move, and run this again`);
}

/** Waits until all transactions have ended that could still write with the old key. */
async function waitForOthers({ db }: Parts, last: string, print: (line: string) => void): Promise<void> {
  const start = performance.now();
  for (let said = false; !(await db.withSystem(tx => haveEnded(tx, last))); said = true) {
    if (performance.now() - start > maxWaitMs)
      throw new Error(
        'A transaction that may have used the old key is still open: end it (pg_stat_activity shows it), and run this again',
      );
    if (!said) print('Waiting for open transactions that may have used the old key');
    await sleep(200);
  }
}

const nameOf = ({ table, column, member }: EncryptedColumn): string =>
  [table, column, member].filter(Boolean).join('.');

async function rotateColumn(
  { db }: Parts,
  { now, before }: { now: Secrets; before: Secrets },
  at: EncryptedColumn,
): Promise<{ changed: number; unreadable: number }> {
  const columns = await db.withSystem(tx => keyColumnsOf(tx, at.table));
  const done = { changed: 0, unreadable: 0 };
  let after: RowKey | undefined;
  for (;;) {
    const rows = await db.withSystem(async tx => {
      const found = await readTexts(tx, at, columns, after, batch);
      for (const row of found) {
        if (now.read(row.text) !== undefined) continue;
        const plain = before.read(row.text);
        if (plain === undefined) done.unreadable += 1;
        else done.changed += await replaceText(tx, at, columns, row, now.encrypt(plain));
      }
      return found;
    });
    if (rows.length < batch) return done;
    after = rows.at(-1)!.key;
  }
}

const logKeys = ({ DATA_DIR }: Pick<Settings, 'DATA_DIR'>): string => path.join(DATA_DIR, 'logs/.keys');

/** Stores the keys of the signatures next to the sealed log files, because these are checked without the database too. */
function keepForLogs(settings: Settings, kept: string): void {
  const file = logKeys(settings);
  const folder = path.dirname(file);
  if (!existsSync(folder)) return;
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, kept, { mode: 0o600, flush: true });
  // The product reads the file, and may run as another user than the one who rotates.
  const { uid, gid } = statSync(folder);
  if (process.getuid?.() === 0) chownSync(draft, uid, gid);
  renameSync(draft, file);
}

/** Signs like the product, without the database; undefined without the key. */
export function offlineSign(settings: Settings): Secrets['sign'] | undefined {
  const key = knownSecretKey(settings);
  if (key === undefined) return undefined;
  const file = logKeys(settings);
  const kept = existsSync(file) ? createSecrets(key).read(readFileSync(file, 'utf8')) : undefined;
  return createSecrets(key, { hashKeys: kept === undefined ? undefined : (JSON.parse(kept) as HashKeys) }).sign;
}
