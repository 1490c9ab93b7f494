import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startEmbedded } from '#db/embedded.ts';
import { CommandError } from '#lib/command-error.ts';
import { type Command, text, type Values } from './cli-command.ts';
import { embeddedDatabase } from './cli-database.ts';
import {
  makeBackup,
  newestBackup,
  pruneBackups,
  readBackup,
  restoreBackup,
  restoreDatabase,
  unfinishedCopies,
} from './services/backup.ts';
import { passphraseOf } from './services/backup-cipher.ts';
import type { Settings } from './settings.ts';

async function withDatabase<T>(settings: Settings, work: (url: string) => Promise<T>): Promise<T> {
  if (settings.DATABASE_URL) return work(settings.DATABASE_DIRECT_URL ?? settings.DATABASE_URL);
  const postgres = await embeddedDatabase(settings);
  try {
    return await work(postgres.url);
  } finally {
    await postgres.stop();
  }
}

/** Like withDatabase, but removes an embedded database again that was made for a restore that failed. */
async function intoDatabase<T>(settings: Settings, work: (url: string) => Promise<T>): Promise<T> {
  if (settings.DATABASE_URL) return withDatabase(settings, work);
  const postgres = await embeddedDatabase(settings);
  const done = await work(postgres.url).catch(async (error: unknown) => {
    await postgres.discard();
    throw error;
  });
  await postgres.stop();
  return done;
}

function keepOf(values: Values): number | undefined {
  const keep = text(values, 'keep');
  if (keep === undefined) return undefined;
  if (!/^[1-9]\d{0,4}$/.test(keep)) throw new CommandError('--keep must be a whole number from 1 to 99999');
  return Number(keep);
}

const place = 'a folder, or s3://bucket/prefix with the settings BACKUP_S3_…';
const passphrase = {
  'passphrase-file': {
    type: 'string',
    about: 'the file of its passphrase (default: BACKUP_PASSPHRASE or BACKUP_PASSPHRASE_FILE)',
  },
} as const;
const reading = {
  ...passphrase,
  plain: { type: 'boolean', about: 'although it is not encrypted and there is a passphrase' },
} as const;

const accessOf = (settings: Settings, values: Values) => ({
  passphrase: passphraseOf(settings, text(values, 'passphrase-file')),
  plain: values['plain'] === true,
});

/** The commands need no SECRET_KEY: what is encrypted stays so. */
export const backupCommands: Readonly<Record<string, Command>> = {
  'backup verify': {
    about: 'restore a backup into a database made for the test, and compare',
    options: {
      from: { type: 'string', about: 'the backup (default: the newest one in BACKUP_TO)' },
      ...reading,
    },
    async alone(settings, values, print) {
      const from = text(values, 'from') ?? (settings.BACKUP_TO && (await newestBackup(settings, settings.BACKUP_TO)));
      if (!from) throw new CommandError('--from or BACKUP_TO must be set');
      const backup = await readBackup(settings, from, accessOf(settings, values));
      const { manifest } = backup;
      const folder = mkdtempSync(path.join(tmpdir(), 'portico-verify-'));
      try {
        const postgres = await startEmbedded(path.join(folder, 'postgres'), { settings: { fsync: 'off' } });
        await restoreDatabase(backup, postgres.url).finally(postgres.stop);
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
      const rows = manifest.database.tables.reduce((sum, table) => sum + table.rows, 0);
      print(`Verified  ${from}: ${rows} rows, ${manifest.files.length} files, made ${manifest.madeAt}`);
      return 0;
    },
  },
  backup: {
    about: 'write a backup of the database, the uploads and the log files, while the product runs',
    options: {
      to: { type: 'string', about: `${place} (default: BACKUP_TO)` },
      keep: { type: 'string', about: 'remove all but so many backups there (default in BACKUP_TO: BACKUP_KEEP)' },
      ...passphrase,
      'with-key': { type: 'boolean', about: 'include secret.key: keep such a backup as safe as the key' },
    },
    async alone(settings, values, print) {
      const to = text(values, 'to') ?? settings.BACKUP_TO;
      if (!to) throw new CommandError('--to or BACKUP_TO must be set');
      const keep = keepOf(values) ?? (text(values, 'to') ? undefined : settings.BACKUP_KEEP);
      const withKey = values['with-key'] === true;
      const options = { withKey, passphrase: accessOf(settings, values).passphrase };
      const made = await withDatabase(settings, url => makeBackup(settings, url, to, options));
      print(`Backup    ${made}`);
      if (settings.LOG_DATABASE_URL)
        print('What is in ClickHouse (LOG_DATABASE_URL) is not in it, such as archived sessions. Back that up there');
      if (!withKey) print('The SECRET_KEY is not in it. Keep it elsewhere: without it the backup is worth little');
      for (const copy of await unfinishedCopies(settings, to))
        print(`No backup ${copy}: it has no manifest. If nothing copies it now, remove it`);
      const problem = await pruneBackups(settings, to, keep);
      if (problem !== undefined) throw new CommandError(`The backup was made, but ${problem}`);
      return 0;
    },
  },
  restore: {
    about: 'restore a backup into an empty database and an empty DATA_DIR, before the first start',
    options: {
      from: { type: 'string', about: 'the backup', must: true },
      ...reading,
      'any-key': { type: 'boolean', about: 'although its SECRET_KEY is lost' },
    },
    async alone(settings, values, print) {
      const from = text(values, 'from')!;
      const options = { ...accessOf(settings, values), anyKey: values['any-key'] === true };
      const manifest = await intoDatabase(settings, url => restoreBackup(settings, url, from, options));
      const rows = manifest.database.tables.reduce((sum, table) => sum + table.rows, 0);
      print(`Restored  ${rows} rows and ${manifest.files.length} files of ${manifest.madeAt}. Start the product now`);
      return 0;
    },
  },
};
