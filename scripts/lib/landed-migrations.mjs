import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from './run.mjs';

const folder = path.join(root, 'server/src/db/migrations');
export const list = path.join(folder, 'landed.txt');

/**
 * A migration with the version of its first release, `next` before that, and the hash of its text.
 * @typedef {{ version: string, name: string, hash: string }} Landed
 */

/** @returns {Landed[]} */
export const landedMigrations = () =>
  readFileSync(list, 'utf8')
    .split('\n')
    .filter(line => line && !line.startsWith('#'))
    .map(line => line.split(' '))
    .map(([version = '', name = '', hash = '']) => ({ version, name, hash }));

/** The migrations in the folder. Those until 0.5.0 are in one file together (server/src/db/upgrade). */
export const migrationFiles = () =>
  readdirSync(folder)
    .filter(file => file.endsWith('.sql'))
    .sort()
    .map(file => ({
      name: file.slice(0, -4),
      hash: createHash('sha256')
        .update(readFileSync(path.join(folder, file)))
        .digest('hex'),
    }));

/**
 * Migrations that differ from the list, one line each that says what to do. A database that ran a migration never runs it again.
 * @param {readonly Landed[]} landed
 * @param {readonly { name: string, hash: string }[]} files
 */
export function editedMigrations(landed, files) {
  return files
    .filter(({ name, hash }) => landed.some(it => it.name === name && it.hash !== hash))
    .map(
      ({ name }) =>
        `${name} was edited after it landed: bring its old text back and write a new migration (only if it is not on main yet: delete its line in landed.txt, then npm run migrations)`,
    );
}

/**
 * @param {readonly Landed[]} landed
 * @param {readonly { name: string }[]} files
 */
export const unlistedMigrations = (landed, files) =>
  files
    .filter(({ name }) => !landed.some(it => it.name === name))
    .map(({ name }) => `${name} is not in landed.txt: npm run migrations`);

/**
 * New migrations with a number below one that landed. A database that is upgraded would run the two the other way round.
 * @param {readonly Landed[]} landed
 * @param {readonly { name: string }[]} files
 */
export function misplacedMigrations(landed, files) {
  const last = landed.map(it => it.name).reduce((one, other) => (one > other ? one : other), '');
  return files
    .filter(({ name }) => name < last && !landed.some(it => it.name === name))
    .map(({ name }) => `${name} must come after ${last}, which landed: give it a higher number`);
}

/**
 * Only the baseline and the migrations after it have files.
 * @param {readonly Landed[]} landed
 * @param {readonly { name: string }[]} files
 */
export const lostMigrations = (landed, files) =>
  landed
    .filter(({ name }) => name >= (files[0]?.name ?? '') && !files.some(file => file.name === name))
    .map(({ name }) => `${name} landed and has no file any more: bring it back`);
