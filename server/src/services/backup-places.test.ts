import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import sql from 'sql-template-tag';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { App } from '#lib/app.ts';
import { registry } from '#lib/metrics.ts';
import { startBucket } from '#lib/testing/s3-stand-in.ts';
import { freshDatabase } from '#test/database.ts';
import { startApp } from '#test/harness.ts';
import { portico } from '#test/portico.ts';
import { backupJobs, lastDue } from './backup.jobs.ts';
import { makeBackup, newestBackup, pruneBackups, readBackup, restoreBackup, unfinishedCopies } from './backup.ts';
import { passphraseCost } from './backup-cipher.ts';
import { nameOf, ownerFile } from './backup-places.ts';
import { checkBackup } from './doctor/backup.ts';
import { askDatabase } from './doctor/doctor.queries.ts';

/** Encrypted backups, in a folder and in an object store, and those that the jobs make. */

// To try the passphrase of an operator is slow on purpose.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 60_000 });

const key = { region: 'eu-test-1', keyId: 'portico', secret: 'a secret key of tests' };
const bucket = await startBucket('kova', key);
const folder = mkdtempSync(path.join(tmpdir(), 'portico-places-'));
const store = {
  BACKUP_S3_ENDPOINT: bucket.url,
  BACKUP_S3_KEY: key.keyId,
  BACKUP_S3_SECRET: key.secret,
  BACKUP_S3_REGION: key.region,
};
const passphrase = 'dört kelime ve bir parola';
/** A setting needs a host; the server listens on a socket only. */
const makeDatabase = async (options = {}): Promise<string> =>
  (await freshDatabase(options)).url.replace('@/', '@localhost/');
const url = await makeDatabase();
let app: App;
let dataDir: string;

beforeAll(async () => {
  app = await startApp({ DATABASE_URL: url, ...store });
  dataDir = app.settings.DATA_DIR;
  await app.db.withSystem(tx =>
    tx.run(sql`insert into tenants (id, slug, brand_name, brand_long_name) values (new_id(), 'gizli-otel', 'G', 'G')`),
  );
  mkdirSync(path.join(dataDir, 'logs/t/d'), { recursive: true });
  writeFileSync(path.join(dataDir, 'logs/t/d/chain.jsonl'), 'a line of the chain\n');
});
afterAll(() => {
  bucket.close();
  rmSync(folder, { recursive: true, force: true });
});

async function make(
  to: string,
  { keep, ...options }: Parameters<typeof makeBackup>[3] & { keep?: number } = {},
): Promise<string> {
  const made = await makeBackup(app.settings, url, to, options);
  expect(await pruneBackups(app.settings, to, keep)).toBeUndefined();
  return made;
}
/** The message of a refusal, which has one line. */
async function refusal(from: string, access = {}): Promise<string> {
  const said = await readBackup(app.settings, from, access).then(
    () => 'it was read',
    (error: Error) => error.message,
  );
  expect(said).not.toContain('\n');
  return said;
}

test.each(['folder', 's3'])('an encrypted backup is restored from a %s, and shows nothing', async kind => {
  const to = kind === 's3' ? 's3://kova/yedek/portico' : path.join(folder, 'encrypted');
  const from = await make(to, { passphrase });
  expect(from.startsWith(`${to}/portico-2`)).toBe(true);
  expect(await newestBackup(app.settings, to)).toBe(from);
  const read = (name: string) => (kind === 's3' ? bucket.files.get(name)! : readFileSync(path.join(from, name)));
  const files =
    kind === 's3'
      ? [...bucket.files.keys()].filter(name => name.startsWith('yedek/') && !name.endsWith(ownerFile))
      : readdirSync(from, { recursive: true, encoding: 'utf8' }).filter(it => it.endsWith('.age'));
  expect(files.filter(name => !name.endsWith('.age'))).toEqual([]);
  expect(files.length).toBeGreaterThan(90);
  for (const name of files) expect(read(name).includes('a line of the chain'), name).toBe(false);
  const keys = files.filter(name => name.endsWith('key.age')).map(name => read(name).toString('latin1').split('\n')[1]);
  expect(keys).toEqual([expect.stringMatching(/^-> scrypt \S{22} 18$/)]);

  expect(await refusal(from)).toBe(
    'The backup is encrypted: set BACKUP_PASSPHRASE, BACKUP_PASSPHRASE_FILE or --passphrase-file',
  );
  expect(await refusal(from, { passphrase: 'another passphrase' })).toBe('The passphrase of the backup is wrong');
  const empty = await makeDatabase({ empty: true });
  const restored = { DATA_DIR: path.join(folder, `restored-${kind}`), ...store };
  await restoreBackup(restored, empty, from, { passphrase, anyKey: true });
  expect(readFileSync(path.join(restored.DATA_DIR, 'logs/t/d/chain.jsonl'), 'utf8')).toBe('a line of the chain\n');
  const again = await startApp({ DATABASE_URL: empty });
  expect(
    await again.db.withSystem(tx => tx.many(sql`select slug from tenants where slug = 'gizli-otel'`)),
  ).toHaveLength(1);
});

test.each(['folder', 's3'])('a %s takes the backups of one installation, also after it was restored', async kind => {
  const to = kind === 's3' ? 's3://kova/one/owner' : path.join(folder, 'owned');
  const first = await make(to);
  const stranger = await makeDatabase();
  const other = await startApp({ DATABASE_URL: stranger, ...store });
  await other.db.withSystem(tx => tx.run(sql`update installation set id = gen_random_uuid()`));
  const refused = await makeBackup(other.settings, stranger, to).catch((error: Error) => error.message);
  expect(refused).toMatch(new RegExp(`^${to} has the backups of another installation \\([0-9a-f-]{36}\\): choose`));
  expect(refused).not.toContain('\n');
  expect(await newestBackup(app.settings, to)).toBe(first);

  const empty = await makeDatabase({ empty: true });
  const restored = { ...other.settings, DATA_DIR: path.join(folder, `owner-restored-${kind}`) };
  await restoreBackup(restored, empty, first, { anyKey: true });
  expect(await makeBackup(restored, empty, to)).not.toBe(first);
  expect(await pruneBackups(restored, to, 1)).toBeUndefined();
  await expect(readBackup(app.settings, first)).rejects.toThrow('is no backup');
});

test.each(['folder', 's3'])('backups that begin in the same second are not mixed in a %s', async kind => {
  const to = kind === 's3' ? 's3://kova/together' : path.join(folder, 'together');
  const both = ['the passphrase of one', 'that of the other'];
  const made = await Promise.all(both.map(own => makeBackup(app.settings, url, to, { passphrase: own })));
  for (const [n, own] of both.entries()) {
    const { manifest } = await readBackup(app.settings, made[n]!, { passphrase: own });
    expect(manifest.files.length).toBeGreaterThan(90);
  }
});

test('what an attacker changes in the store is refused in one line', async () => {
  // These backups are read some thirty times; the test above checks the cost of their passphrase.
  const { work } = passphraseCost;
  passphraseCost.work = 4;
  const encrypted = () => make('s3://kova/a', { passphrase });
  let first: string;
  let second: string;
  try {
    [first, second] = [await encrypted(), await encrypted()];
  } finally {
    passphraseCost.work = work;
  }
  const keyOf = (from: string, file: string) => `${from.replace('s3://kova/', '')}/${file}`;
  const table = 'tables/tenants.copy.gz.age';
  const instead = async (name: string, content: Buffer | undefined) => {
    const right = bucket.files.get(name)!;
    if (content) bucket.files.set(name, content);
    else bucket.files.delete(name);
    const said = await refusal(first, { passphrase });
    bucket.files.set(name, right);
    return said;
  };
  for (const file of [table, 'manifest.json.age', 'key.age', 'files/logs/t/d/chain.jsonl.age']) {
    const right = bucket.files.get(keyOf(first, file))!;
    for (const at of [0, right.length >> 1, right.length - 1]) {
      const content = Buffer.from(right);
      content[at]! ^= 1;
      expect(await instead(keyOf(first, file), content), `${file} ${at}`).not.toBe('it was read');
    }
    expect(await instead(keyOf(first, file), right.subarray(0, -20)), file).toMatch(/changed or cut off|not as it was/);
    expect(await instead(keyOf(first, file), undefined), file).not.toBe('it was read');
    // The same file of another backup with the same passphrase.
    expect(await instead(keyOf(first, file), bucket.files.get(keyOf(second, file))), file).toMatch(
      /is not of this backup$/,
    );
  }
  expect(await instead(keyOf(first, table), bucket.files.get(keyOf(first, 'tables/users.copy.gz.age')))).toBe(
    'tables/tenants.copy.gz is not as it was backed up',
  );
  expect(await refusal(first, { passphrase })).toBe('it was read');

  // A backup that is not encrypted, in its place.
  const plain = await make('s3://kova/a');
  expect(await refusal(plain, { passphrase })).toMatch(/^The backup is not encrypted, although/);
  expect(await refusal(plain, { passphrase, plain: true })).toBe('it was read');
  const manifest = JSON.parse(bucket.files.get(keyOf(plain, 'manifest.json'))!.toString());
  const forged = async (change: (it: typeof manifest) => void) => {
    const copy = structuredClone(manifest);
    change(copy);
    bucket.files.set(keyOf(plain, 'manifest.json'), Buffer.from(JSON.stringify(copy)));
    return refusal(plain);
  };
  for (const name of [
    'files/logs/../../../etc/cron.d/x',
    '/etc/passwd',
    'files/etc/x',
    'files/logs//x',
    '../x',
    'files/logs/x\0',
  ])
    expect(await forged(it => (it.files[0].path = name))).toMatch(/^The manifest names what no backup has: /);
  expect(await forged(it => (it.database.tables[0].name = '../../etc/x'))).toMatch(/^The manifest names what no/);
  expect(await forged(it => (it.format = 2))).toMatch(/^The backup is of a newer version/);
});

test.each(['folder', 's3'])(
  'what is interrupted looks like no backup, and only old ones are removed: %s',
  async kind => {
    const to = kind === 's3' ? 's3://kova/k' : path.join(folder, 'kept');
    const made = [await make(to), await make(to), await make(to, { keep: 2, passphrase })];
    const names = () =>
      (kind === 's3'
        ? [...new Set([...bucket.files.keys()].filter(it => it.startsWith('k/')).map(it => it.split('/')[1]!))]
        : readdirSync(to)
      ).filter(it => it !== ownerFile);
    const last = (from: string) => from.split('/').at(-1)!;
    expect(names().sort()).toEqual(made.slice(1).map(last));
    // The process was killed: long ago, and just now.
    const half = (name: string) => {
      if (kind === 's3') bucket.files.set(`k/${name}/tables/x.copy.gz`, Buffer.from('x'));
      else mkdirSync(path.join(to, `.${name}.partial`));
    };
    const today = `portico-${new Date().toISOString().slice(0, 10).replaceAll('-', '')}T000000Z`;
    for (const name of ['portico-20200101T000000Z', today]) half(name);
    if (kind === 's3') bucket.files.set('k/portico-20200101T000000Z-of-mine/x', Buffer.from('x'));
    expect(await newestBackup(app.settings, to)).toBe(made[2]);
    const kept = await make(to, { keep: 1 });
    expect(
      names()
        .filter(name => !name.includes('of-mine'))
        .sort(),
    ).toEqual([last(kept), kind === 's3' ? today : `.${today}.partial`].sort());
    // The network fails in the middle.
    if (kind !== 's3') return;
    let left = 40;
    bucket.refuse(method => (method === 'PUT' && --left < 0 ? 403 : undefined));
    await expect(make(to, { passphrase })).rejects.toThrow('The backup store refused PUT: 403');
    bucket.refuse(undefined);
    expect(await newestBackup(app.settings, to)).toBe(kept);
    expect(names()).toHaveLength(3);
  },
);

test('in a folder an unfinished copy does not count, and a full disk does not keep what killed backups left', async () => {
  const to = path.join(folder, 'copies');
  const minutesAgo = (minutes: number) => path.join(to, nameOf(new Date(Date.now() - minutes * 60_000)));
  const made = [minutesAgo(2)];
  renameSync(await make(to), made[0]!);
  const copy = minutesAgo(1);
  mkdirSync(path.join(copy, 'tables'), { recursive: true });
  expect(await newestBackup(app.settings, to)).toBe(made[0]);
  made.push(await make(to, { keep: 2 }));
  expect(made.map(it => existsSync(it))).toEqual([true, true]);
  expect(await unfinishedCopies(app.settings, to)).toEqual([copy]);
  const told = await portico(['backup', '--to', to], { DATABASE_URL: url, DATA_DIR: dataDir });
  expect(told.out).toContain(`No backup ${copy}: it has no manifest. If nothing copies it now, remove it\n`);
  const killed = path.join(to, `.${path.basename(made[0]!)}.partial`);
  const running = path.join(to, `.${path.basename(made[1]!)}.partial`);
  for (const draft of [killed, running]) mkdirSync(path.join(draft, 'tables'), { recursive: true });
  const before = Date.now() / 1000 - 4 * 3600;
  utimesSync(path.join(killed, 'tables'), before, before);
  for (const draft of [killed, running]) utimesSync(draft, before, before);
  await expect(makeBackup({ ...app.settings, DATA_DIR: to }, url, to, { reserve: 2 ** 60 })).rejects.toThrow(
    'is on the disk of DATA_DIR',
  );
  expect([killed, running].map(it => existsSync(it))).toEqual([false, true]);
});

test('the commands take the settings, and the passphrase from a file', async () => {
  const file = path.join(folder, 'passphrase');
  writeFileSync(file, `${passphrase}\n`);
  const settings = { DATABASE_URL: url, DATA_DIR: dataDir, ...store, BACKUP_TO: 's3://kova/cli' };
  const ran = await portico(['backup'], { ...settings, BACKUP_PASSPHRASE_FILE: file });
  expect(ran).toMatchObject({ code: 0, error: '' });
  const from = /^Backup {4}(s3:\S+)$/m.exec(ran.out)![1]!;
  const to = {
    ...settings,
    DATABASE_URL: await makeDatabase({ empty: true }),
    DATA_DIR: path.join(folder, 'cli'),
  };
  expect(await portico(['restore', '--from', from, '--any-key'], to)).toEqual({
    ...{ code: 1, out: '' },
    error: 'The backup is encrypted: set BACKUP_PASSPHRASE, BACKUP_PASSPHRASE_FILE or --passphrase-file\n',
  });
  const restored = await portico(['restore', '--from', from, '--any-key', '--passphrase-file', file], to);
  expect(restored).toMatchObject({ code: 0, error: '' });
  writeFileSync(file, 'short');
  expect(await portico(['backup'], { ...settings, BACKUP_PASSPHRASE_FILE: file })).toMatchObject({
    code: 1,
    error: `The passphrase in ${file} must be at least 12 characters\n`,
  });
});

test('the last time of the schedule', () => {
  const at = (now: string, ...times: string[]) =>
    lastDue(times, new Date(`2026-03-02T${now}:00Z`))
      .toISOString()
      .slice(5, 16);
  expect(at('02:00', '02:00')).toBe('03-02T02:00');
  expect(at('01:59', '02:00')).toBe('03-01T02:00');
  expect(at('13:00', '02:00', '14:00')).toBe('03-02T02:00');
  expect(at('01:00', '14:00', '02:00')).toBe('03-01T14:00');
});

/** No backup becomes due while a test runs. */
const halfADayAgo = (): string => new Date(Date.now() - 43_200_000).toISOString().slice(11, 16);

test('of several jobs processes one makes the backup, a failure is told, and it is tried again', async () => {
  const own = await makeDatabase();
  const settings = {
    ...{ DATABASE_URL: own, ...store, BACKUP_TO: 's3://kova/jobs', BACKUP_PASSPHRASE: passphrase },
    BACKUP_AT: halfADayAgo(),
  };
  const apps = [await startApp(settings), await startApp(settings), await startApp(settings)];
  const [job] = backupJobs;
  const made = () =>
    new Set([...bucket.files.keys()].filter(it => it.startsWith('jobs/portico-2')).map(it => it.split('/')[1]!));
  const run = () => Promise.allSettled(apps.map(it => job!.run(it)));
  const counted = async (outcome: string) =>
    (await registry.getSingleMetric('portico_backups_total')?.get())?.values.find(
      it => it.labels['outcome'] === outcome,
    )?.value ?? 0;
  // Other tests of the process make backups too.
  const before = { failed: await counted('failed'), made: await counted('made') };
  const outcomes = async (outcome: 'failed' | 'made') => (await counted(outcome)) - before[outcome];
  const doctor = async () => checkBackup(apps[0]!.settings, await askDatabase(own));

  expect((await doctor()).map(it => it.message)).toEqual(['there is no backup']);
  bucket.refuse(method => (method === 'PUT' ? 403 : undefined));
  const problem = 'The backup store refused PUT: 403 SlowDown';
  const first = await run();
  expect(first.filter(it => it.status === 'rejected').map(it => (it.reason as Error).message)).toEqual([problem]);
  expect(await outcomes('failed')).toBe(1);
  expect((await doctor()).map(it => [it.level, it.message])).toContainEqual(['failure', `by schedule: ${problem}`]);
  // Not at once again.
  bucket.refuse(undefined);
  await run();
  expect(made().size).toBe(0);
  const later = (interval: string) =>
    apps[0]!.db.withSystem(tx => tx.run(sql`update installation set backup_tried_at = now() - ${interval}::interval`));
  await later('16 minutes');
  expect((await run()).filter(it => it.status === 'rejected')).toEqual([]);
  expect([made().size, await outcomes('made')]).toEqual([1, 1]);
  expect((await doctor()).map(it => it.level)).toEqual(['ok']);
  await later('1 day');
  await run();
  expect(made().size).toBe(1);
  // The next time of the schedule.
  await apps[0]!.db.withSystem(tx => tx.run(sql`update installation set backup_of = backup_of - interval '1 day'`));
  await run();
  expect([made().size, await outcomes('made')]).toEqual([2, 2]);
  // A clock that was ahead does not end the schedule.
  await apps[0]!.db.withSystem(tx =>
    tx.run(sql`
      update installation set backup_of = now() + interval '1 year', backup_tried_at = now() + interval '1 year',
        backed_up_at = now() + interval '1 year'`),
  );
  expect((await doctor()).map(it => [it.level, it.message])).toContainEqual([
    'warning',
    expect.stringMatching(/^the last one is of a time to come, /),
  ]);
  await run();
  await run();
  expect([made().size, await outcomes('made')]).toEqual([3, 3]);
});

test('an old backup that cannot be removed is told, and no reason to make another one', async () => {
  const own = await makeDatabase();
  const settings = {
    ...{ DATABASE_URL: own, ...store, BACKUP_TO: 's3://kova/stuck', BACKUP_KEEP: '1' },
    BACKUP_AT: halfADayAgo(),
  };
  const job = await startApp(settings);
  const put = (name: string) => bucket.files.set(`stuck/${name}/manifest.json`, Buffer.from('{}'));
  const names = () =>
    new Set([...bucket.files.keys()].filter(it => it.startsWith('stuck/portico-2')).map(it => it.split('/')[1]!));
  for (const name of ['portico-20250101T000000Z', 'portico-20250102T000000Z']) put(name);
  let refused = 0;
  bucket.refuse((method, path) => (method === 'DELETE' && path.includes('20250101') ? (refused++, 403) : undefined));
  await backupJobs[0]!.run(job);
  expect([names().size, refused > 0]).toEqual([2, true]);
  const problems = async () => (await checkBackup(job.settings, await askDatabase(own))).map(it => it.message);
  expect(await problems()).toContainEqual(
    'by schedule: portico-20250101T000000Z was not removed: The backup store refused DELETE: 403 SlowDown',
  );
  await job.db.withSystem(tx => tx.run(sql`update installation set backup_tried_at = now() - interval '16 minutes'`));
  await backupJobs[0]!.run(job);
  expect(names().size, 'no further one').toBe(2);
  bucket.refuse(undefined);
});
