import type { SourceMutant } from './mutant.ts';

const places = 'server/src/services/backup-places.test.ts';
const age = 'server/src/lib/age.test.ts';
const links = 'server/src/test/attacks/links-in-a-backup.test.ts';

/** Backups: what an attacker of the place where they lie could do, and what makes one of several processes make them. */
export const ofBackups: readonly SourceMutant[] = [
  {
    wrong: 'a part that an overloaded store refused is not sent again',
    file: 'server/src/lib/s3.ts',
    from: 'if (!isTemporary(status)) throw',
    to: 'throw',
    test: 'server/src/lib/s3.test.ts',
    title: 'a refused part is sent again when the store is overloaded',
  },
  {
    wrong: 'an encrypted file may lack its end',
    file: 'server/src/lib/age.ts',
    from: 'yield open(waiting, true);',
    to: 'if (waiting.length) yield open(waiting, true);',
    test: age,
    title: 'a changed byte, a missing end, and chunks in another order are refused',
  },
  {
    wrong: 'the header of an encrypted file may be changed',
    file: 'server/src/lib/age.ts',
    from: 'if (!timingSafeEqual(macOf(fileKey, header), mac)) throw changed();',
    to: '',
    test: age,
    title: 'a changed byte, a missing end, and chunks in another order are refused',
  },
  {
    wrong: 'a backup that is not encrypted takes the place of an encrypted one',
    file: 'server/src/services/backup.ts',
    from: '!key && access.passphrase !== undefined && !access.plain',
    to: '!key && access.passphrase !== undefined && access.plain',
    test: places,
    title: 'what an attacker changes in the store is refused in one line',
  },
  {
    wrong: 'a manifest may name files outside DATA_DIR',
    file: 'server/src/services/backup-files.ts',
    from: "!file.split('/').some(it => it === '' || it === '.' || it === '..')",
    to: 'file.length > 0',
    test: places,
    title: 'what an attacker changes in the store is refused in one line',
  },
  {
    wrong: 'a link in a backup is followed',
    file: 'server/src/services/backup-places.ts',
    from: 'if ((await realpath(at).catch(absent)) !== at) return undefined;',
    to: '',
    test: links,
    title: 'a link in a backup, and a file that its manifest does not name, are not restored',
  },
  {
    wrong: 'each jobs process makes the backup',
    file: 'server/src/db/alone.ts',
    from: 'if (!rows[0]?.mine) return false;',
    to: '',
    test: places,
    title: 'of several jobs processes one makes the backup, a failure is told, and it is tried again',
  },
  {
    wrong: 'a backup lacks the rows of tenants that move',
    file: 'server/src/db/tenant-freeze.ts',
    from: "in (${id}, 'all')",
    to: 'in (${id})',
    test: 'server/src/services/move/move.test.ts',
    title: 'is whole in a backup that is made while it is frozen',
  },
];
