import {
  chmodSync,
  chownSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { type Embedded, startEmbedded } from '#db/embedded.ts';

export interface Pair {
  readonly primary: string;
  readonly standby: string;
  stopStandby(): Promise<void>;
  startStandby(): Promise<void>;
  stop(): Promise<void>;
}

const urlOf = (folder: string): string => `postgresql://postgres@localhost/postgres?host=${encodeURIComponent(folder)}`;

// What autovacuum removes would cancel queries of the standby.
const shared = {
  ...{ wal_level: 'replica', max_wal_senders: '4', wal_keep_size: '512MB', max_connections: '60' },
  autovacuum: 'off',
};

/** A primary server with commits that are flushed, and a real standby that follows it by streaming replication. */
export async function startPair(): Promise<Pair> {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'pair-')));
  chmodSync(folder, 0o755);
  const [first, second] = [path.join(folder, '1'), path.join(folder, '2')];
  const primary = await startEmbedded(first, { settings: shared });
  let standby: Embedded | undefined;
  const pair: Pair = {
    primary: urlOf(first),
    standby: urlOf(second),
    async startStandby() {
      standby = await startEmbedded(second, {
        settings: {
          ...{ ...shared, primary_conninfo: `host=${first} user=postgres`, max_standby_streaming_delay: '0' },
          wal_retrieve_retry_interval: '100ms',
        },
      });
    },
    async stopStandby() {
      await standby?.stop();
      standby = undefined;
    },
    async stop() {
      await pair.stopStandby();
      await primary.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  try {
    await copyServer(first, second);
    await pair.startStandby();
  } catch (error) {
    await pair.stop();
    throw error;
  }
  return pair;
}

/** Copies a server as pg_basebackup does, by functions of the server: the npm package lacks that program. */
async function copyServer(from: string, to: string): Promise<void> {
  mkdirSync(to, { mode: 0o711 });
  // Owned by the same user, which may open the socket of the primary.
  const { uid, gid } = statSync(from);
  chownSync(to, uid, gid);
  const client = new pg.Client({ connectionString: urlOf(from) });
  await client.connect();
  try {
    await client.query(`select pg_backup_start('standby', true)`);
    const data = path.join(from, 'data');
    const left = new Set(['postmaster.pid', 'postmaster.opts'].map(name => path.join(data, name)));
    cpSync(data, path.join(to, 'data'), { recursive: true, filter: name => !left.has(name) });
    const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)');
    writeFileSync(path.join(to, 'data/backup_label'), rows[0]!.labelfile);
    writeFileSync(path.join(to, 'data/standby.signal'), '');
  } finally {
    await client.end();
  }
}
