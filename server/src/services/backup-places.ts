import { constants, createWriteStream, existsSync } from 'node:fs';
import { access, lstat, mkdir, open, readdir, readFile, realpath, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { LoadError } from '#db/load.ts';
import { createS3, type S3 } from '#lib/s3.ts';
import type { Settings } from '../settings.ts';

/** A backup that is being made. Until `finish` nothing there looks like one. */
export interface Draft {
  readonly write: (file: string, content: AsyncIterable<Buffer>) => Promise<void>;
  readonly finish: () => Promise<void>;
  readonly abandon: () => Promise<void>;
}

/** A folder, or a bucket, with backups: each has a manifest, which is written last. */
export interface Place {
  /** Undefined of a bucket. */
  readonly folder?: string;
  /** Undefined where something has the name already. */
  readonly begin: (name: string) => Promise<Draft | undefined>;
  /** The names of the backups, oldest first. */
  readonly list: () => Promise<string[]>;
  /** Names like those of backups without a manifest, in a folder: copies that were interrupted. They are never removed. */
  readonly unfinished: () => Promise<string[]>;
  readonly remove: (name: string) => Promise<void>;
  /** The id of the installation whose backups these are. Undefined before the first one. */
  readonly owner: () => Promise<string | undefined>;
  /** Writes the id of an installation there. In a folder the first of two at once wins, in a bucket the last one. */
  readonly claim: (id: string) => Promise<void>;
  /** Removes what interrupted backups left: in a folder hours ago, in a bucket more than a day ago. */
  readonly sweep: () => Promise<void>;
  /** Undefined when there is no such file. */
  readonly open: (name: string, file: string) => Promise<Readable | undefined>;
  /** Throws unless backups can be listed, and made as far as that is seen without making one. */
  readonly check: () => Promise<void>;
  /** The address of a backup, as `--from` takes it. */
  readonly address: (name: string) => string;
}

export type BucketSettings = Pick<
  Settings,
  'BACKUP_S3_ENDPOINT' | 'BACKUP_S3_KEY' | 'BACKUP_S3_SECRET' | 'BACKUP_S3_REGION'
>;

export const manifestFiles = ['manifest.json', 'manifest.json.age'] as const;
/** Beside the backups. Two installations would remove each other's. */
export const ownerFile = 'portico-installation';
const named = /^portico-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/;
/** A file is tried for a minute, because a single refusal would end the backup; a list for 15 seconds, because a person may wait. */
const pauses = { lists: [500, 1000, 2000, 4000, 8000], files: [500, 1000, 2000, 4000, 8000, 15_000, 30_000] };
const dayMs = 86_400_000;
export const nameOf = (madeAt: Date): string => `portico-${madeAt.toISOString().replace(/[-:]|\.\d+/g, '')}`;
const isOld = (name: string): boolean => {
  const [, year, month, day] = named.exec(name) ?? [];
  return Date.parse(`${year}-${month}-${day}`) < Date.now() - 2 * dayMs;
};
const absent = (error: NodeJS.ErrnoException): undefined => {
  if (error.code !== 'ENOENT') throw error;
};

const exists = (error: NodeJS.ErrnoException): void => {
  if (error.code !== 'EEXIST') throw error;
};

/** The place of `--to` or BACKUP_TO: a folder, or s3://bucket with or without a prefix. */
export function placeOf(to: string, settings: BucketSettings): Place {
  if (!to.startsWith('s3:')) return folderPlace(path.resolve(to));
  const [, bucket, prefix = ''] = /^s3:\/\/([a-z0-9][a-z0-9.-]+)((?:\/[\w.-]+)*)\/?$/.exec(to) ?? [];
  const { BACKUP_S3_KEY: keyId, BACKUP_S3_SECRET: secret, BACKUP_S3_REGION: region } = settings;
  if (!bucket || /\/\.{1,2}(\/|$)/.test(prefix)) throw new LoadError(`${to} must be s3://bucket or s3://bucket/prefix`);
  if (!keyId || !secret) throw new LoadError(`BACKUP_S3_KEY and BACKUP_S3_SECRET must be set for ${to}`);
  const host = (settings.BACKUP_S3_ENDPOINT ?? `https://s3.${region}.amazonaws.com`).replace(/\/+$/, '');
  const store = { url: `${host}/${bucket}${prefix}`, region, keyId, secret, name: 'backup store' };
  return bucketPlace(
    {
      once: createS3(store),
      lists: createS3(store, { pauses: pauses.lists }),
      files: createS3(store, { pauses: pauses.files }),
    },
    `s3://${bucket}${prefix}`,
  );
}

/** The place and the name of one backup, from the address of `--from`. */
export function splitAddress(from: string): { readonly to: string; readonly name: string } {
  const [, to = '', name = ''] = /^(.*?)\/*([^/]+)\/*$/.exec(from.startsWith('s3:') ? from : path.resolve(from)) ?? [];
  return { to: to || '/', name };
}

/** The error of a write to a full or broken disk names no file, unlike that of an open. It is named as Node names it there. */
function withPath(error: unknown, at: string): unknown {
  const { code, syscall, path: named } = error as NodeJS.ErrnoException;
  const isOfDisk = ['ENOSPC', 'EDQUOT', 'EFBIG', 'EIO'].includes(code ?? '') && syscall !== 'read';
  if (error instanceof Error && isOfDisk && named === undefined) error.message += ` '${at}'`;
  return error;
}

/** A backup that wrote nothing for so long was killed. */
const idleMs = 3 * 3_600_000;

/** When something in the folder was last written, in milliseconds since 1970. Undefined if it went meanwhile. */
async function lastWrite(folder: string): Promise<number | undefined> {
  const names = await readdir(folder, { recursive: true }).catch(absent);
  if (!names) return undefined;
  let last = 0;
  // One after another: a record of years has many files.
  for (const name of ['', ...names]) {
    const found = await lstat(path.join(folder, name)).catch(absent);
    // A backup that ends now gets its final name.
    if (!found) return undefined;
    last = Math.max(last, found.mtimeMs);
  }
  return last;
}

function folderPlace(folder: string): Place {
  const entries = (): Promise<string[]> => readdir(folder);
  const draftOf = (name: string): string => path.join(folder, `.${name}.partial`);
  const isWhole = (name: string): boolean => manifestFiles.some(file => existsSync(path.join(folder, name, file)));
  return {
    folder,
    async begin(name) {
      const draft = draftOf(name);
      if (existsSync(path.join(folder, name))) return undefined;
      await mkdir(draft, { recursive: true, mode: 0o700 });
      return {
        async write(file, content) {
          const at = path.join(draft, file);
          await mkdir(path.dirname(at), { recursive: true, mode: 0o700 });
          await pipeline(content, createWriteStream(at, { mode: 0o600, flush: true })).catch((error: unknown) => {
            throw withPath(error, at);
          });
        },
        finish: () => rename(draft, path.join(folder, name)),
        abandon: () => rm(draft, { recursive: true, force: true }),
      };
    },
    // A copy that was interrupted may have a final name too, and must not count.
    list: async () => (await entries()).filter(name => named.test(name) && isWhole(name)).sort(),
    unfinished: async () => (await entries()).filter(name => named.test(name) && !isWhole(name)).sort(),
    async remove(name) {
      // If this is interrupted, what is left is no backup.
      const at = draftOf(name);
      await rename(path.join(folder, name), at);
      await rm(at, { recursive: true, force: true });
    },
    async owner() {
      const text = await readFile(path.join(folder, ownerFile), 'utf8').catch(absent);
      return text?.trim() || undefined;
    },
    async claim(id) {
      const at = path.join(folder, ownerFile);
      await mkdir(folder, { recursive: true, mode: 0o700 });
      // The id is no secret, and root may make the first backup.
      await writeFile(at, `${id}\n`, { flag: 'wx', mode: 0o644 }).catch(exists);
      // A full disk left an empty one.
      if ((await this.owner()) === undefined) await writeFile(at, `${id}\n`);
    },
    async sweep() {
      for (const entry of await entries()) {
        const [, name = ''] = /^\.(.+)\.partial$/.exec(entry) ?? [];
        const at = path.join(folder, entry);
        if (!named.test(name)) continue;
        const written = isOld(name) ? 0 : await lastWrite(at);
        if (written !== undefined && written < Date.now() - idleMs) await rm(at, { recursive: true, force: true });
      }
    },
    async open(name, file) {
      const backup = await realpath(path.join(folder, name)).catch(absent);
      if (!backup) return undefined;
      const at = path.join(backup, file);
      // A link could lead to any file of the user who restores, who may be root.
      if ((await realpath(at).catch(absent)) !== at) return undefined;
      const handle = await open(at, constants.O_RDONLY | constants.O_NOFOLLOW);
      return handle.createReadStream();
    },
    async check() {
      // The first backup makes what is missing.
      let at = folder;
      while (!existsSync(at) && path.dirname(at) !== at) at = path.dirname(at);
      await access(at, constants.R_OK | constants.W_OK | constants.X_OK);
    },
    address: name => path.join(folder, name),
  };
}

/** The same bucket with different patience. */
function bucketPlace({ once, lists, files }: Readonly<Record<'once' | 'lists' | 'files', S3>>, shown: string): Place {
  const removeAll = async (name: string, last: (key: string) => boolean) => {
    const keys = await lists.list(`${name}/`);
    // The manifest first: what is left without it is no backup.
    for (const key of [...keys.filter(last), ...keys.filter(it => !last(it))]) await lists.remove(key);
    // A key may lack the right to list uploads. Last, because a store that does not answer is waited for long.
    await lists.endUploads(`${name}/`).catch(() => undefined);
  };
  const isManifest = (key: string): boolean => manifestFiles.some(file => key.endsWith(`/${file}`));
  const whole = async (name: string): Promise<boolean> => {
    for (const file of manifestFiles) if (await lists.has(`${name}/${file}`)) return true;
    return false;
  };
  const names = async (): Promise<string[]> => (await lists.folders()).filter(name => named.test(name)).sort();
  const list = async (): Promise<string[]> => {
    const found: string[] = [];
    for (const name of await names()) if (await whole(name)) found.push(name);
    return found;
  };
  return {
    async begin(name) {
      if ((await lists.list(`${name}/`)).length > 0) return undefined;
      return {
        write: (file, content) => files.putStream(`${name}/${file}`, content),
        finish: async () => undefined,
        abandon: () => removeAll(name, isManifest),
      };
    },
    list,
    // In a bucket, a copy that is being made looks the same, and old ones are swept.
    unfinished: async () => [],
    remove: name => removeAll(name, isManifest),
    async owner() {
      const content = await lists.get(ownerFile);
      return (content && (await text(content)).trim()) || undefined;
    },
    claim: id => lists.putStream(ownerFile, Readable.from([Buffer.from(`${id}\n`)])),
    async sweep() {
      for (const name of await names()) if (isOld(name) && !(await whole(name))) await removeAll(name, isManifest);
    },
    open: (name, file) => files.get(`${name}/${file}`),
    check: async () => void (await once.folders()),
    address: name => `${shown}/${name}`,
  };
}
