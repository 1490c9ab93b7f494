import type { ChangeOfTable } from '#db/tenant-dump.ts';
import type { Secrets } from '#lib/secrets.ts';
import { encryptedColumns } from '../key-rotation.queries.ts';

/** Keyed hashes that are made again for the other installation, from the encrypted value beside them. */
const hashes: readonly { table: string; column: string; hash: string; text: (plain: string) => string }[] = [
  { table: 'visitors', column: 'citizen_id', hash: 'citizen_id_hash', text: plain => plain },
  { table: 'vouchers', column: 'code', hash: 'code_hash', text: plain => `voucher:${plain}` },
  { table: 'purchases', column: 'code', hash: 'code_hash', text: plain => `receipt:${plain}` },
];

export interface Counts {
  changed: number;
  /** Values that could not be decrypted before either. They stay as they are. */
  unreadable: number;
}

/** Encrypts every value of a row with another key. `makeHashes`: for the installation that the rows go to. */
export function encryptAgain(
  { from, to, makeHashes }: { from: Pick<Secrets, 'read'>; to: Secrets; makeHashes: boolean },
  counts: Counts,
): ChangeOfTable {
  return table => {
    // No file of it is in the object store of the installation that it goes to.
    if (makeHashes && table === 'log_streams') return () => new Map([['stored_length', '0']]);
    const columns = encryptedColumns.filter(it => it.table === table);
    if (columns.length === 0) return undefined;
    return row => {
      const changed = new Map<string, string | null>();
      const again = (text: string): string => {
        const plain = from.read(text);
        if (plain === undefined) {
          counts.unreadable += 1;
          return text;
        }
        counts.changed += 1;
        return to.encrypt(plain);
      };
      for (const { column, member } of columns) {
        const text = changed.get(column) ?? row.get(column);
        if (text === null || text === undefined) continue;
        if (!member) changed.set(column, again(text));
        else {
          const value = JSON.parse(text) as Record<string, unknown> | null;
          const inner = value?.[member];
          if (typeof inner === 'string') changed.set(column, JSON.stringify({ ...value, [member]: again(inner) }));
        }
      }
      if (makeHashes)
        for (const { column, hash, text } of hashes.filter(it => it.table === table)) {
          const encrypted = row.get(column);
          const plain = encrypted ? from.read(encrypted) : undefined;
          if (plain !== undefined && row.get(hash) !== null)
            changed.set(hash, `\\x${to.index(text(plain)).toString('hex')}`);
        }
      return changed;
    };
  };
}
