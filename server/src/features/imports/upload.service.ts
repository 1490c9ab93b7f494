import { setImmediate } from 'node:timers/promises';
import type { VisitorImport } from '@portico/contract/imports.ts';
import pLimit from 'p-limit';
import { audit } from '#features/audit/public.ts';
import { chooseLocation } from '#features/locations/public.ts';
import { profilesByName } from '#features/profiles/public.ts';
import { momentsAt } from '#features/visitors/public.ts';
import { AppError, found } from '#http/app-error.ts';
import type { Upload } from '#http/call.ts';
import { unreadApart } from '#http/csv-upload.ts';
import { ApartFailed } from '#lib/apart.ts';
import { newId } from '#lib/ids.ts';
import { cutText, oneLine } from '#lib/one-line.ts';
import { systemForms } from '#lib/system-crypt.ts';
import { draftOf } from './draft.ts';
import * as queries from './imports.queries.ts';
import { type Call, describeImport, planOf } from './imports.service.ts';
import { readApart } from './read/read-apart.ts';
import { type Account, limits, type Reading, Unreadable } from './read/reading.ts';

/** Files are read one after the other: each takes several times its size in memory. */
const inTurn = pLimit(1);
const chunk = 2000;
const rowsPerTurn = 500;

async function readUpload(file: Upload) {
  try {
    return await inTurn(() => readApart(file.bytes));
  } catch (error) {
    if (error instanceof ApartFailed) throw unreadApart(error, 'import_unknown_file');
    if (error instanceof Unreadable) throw new AppError('invalid', { fields: { file: [error.key, error.values] } });
    throw error;
  }
}

const groupOf = (account: Account): string => account.group?.name ?? '';

/** The groups of the visitors, the largest first. A group is given the session profile with its name. */
function groupsOf(reading: Reading, profiles: ReadonlyMap<string, { id: string; paid: boolean }>) {
  const counts = new Map<string, number>();
  for (const account of reading.accounts.values())
    counts.set(groupOf(account), (counts.get(groupOf(account)) ?? 0) + 1);
  const names = [...counts].sort((a, b) => b[1] - a[1]).slice(0, limits.names);
  return names.map(([name, visitors]) => {
    const profile = profiles.get(name.toLocaleLowerCase('tr'));
    return {
      name,
      visitors,
      hints: reading.hints.get(name) ?? [],
      profile_id: profile && !profile.paid ? profile.id : null,
    };
  });
}

/** Reads a file and keeps its visitors until the import is started or deleted. */
export async function uploadImport(call: Call, named: string | null | undefined, file: Upload): Promise<VisitorImport> {
  const { secrets } = call.app;
  await call.read(tx => chooseLocation(tx, call.actor, named));
  const { source, reading } = await readUpload(file);
  const cryptForms = await systemForms();
  return call.inTenant(async tx => {
    const locationId = await chooseLocation(tx, call.actor, named);
    const accounts = [...reading.accounts.values()];
    const local = [
      ...new Set(accounts.flatMap(it => [it.starts, it.ends]).filter(it => it !== undefined && !it.endsWith('Z'))),
    ];
    const moments = await momentsAt(tx, locationId, local as string[]);
    const moment = new Map(local.map((text, i) => [text, moments[i]!]));
    const forms = new Map<string, number>();
    let ownLimits = 0;
    const rowOf = (account: Account, n: number): queries.NewRow => {
      const { draft, form, problem, ignored } = draftOf(account, moment, cryptForms);
      forms.set(form, (forms.get(form) ?? 0) + 1);
      for (const name of ignored) reading.ignore(name, account.line);
      if (draft?.limits) ownLimits += 1;
      const data = draft ? secrets.encrypt(JSON.stringify({ ...draft, group: groupOf(account) })) : null;
      return { n, line: account.line, username: shown(account.username), data, problem };
    };
    const rows: queries.NewRow[] = [];
    for (const account of accounts) {
      rows.push(rowOf(account, rows.length));
      // Other requests get a turn.
      if (rows.length % rowsPerTurn === 0) await setImmediate();
    }
    const id = newId();
    const findings = {
      unknown: [...reading.unknown]
        .map(([name, it]) => ({ name: shown(name), ...it }))
        .sort((a, b) => b.count - a.count),
      passwords: [...forms].map(([name, count]) => ({ form: shown(name), count })).sort((a, b) => b.count - a.count),
      own_limits: ownLimits,
      accounting: reading.accounting,
    };
    const groups = groupsOf(reading, await profilesByName(tx, locationId)).map(it => ({
      ...it,
      name: shown(it.name),
      hints: it.hints.map(shown),
    }));
    const fileName = oneLine(file.filename, 200) || '–';
    await queries.insertImport(tx, {
      id,
      location_id: locationId,
      source,
      file_name: fileName,
      total: rows.length,
      groups,
      findings,
      created_by: call.actor.userId,
    });
    for (let from = 0; from < rows.length; from += chunk)
      await queries.insertRows(tx, id, rows.slice(from, from + chunk));
    await queries.keepPlan(tx, id, await planOf(tx, { id, existing: 'keep' }));
    await audit(tx, call.actor, {
      verb: 'create',
      subject: { type: 'visitor-import', id, name: fileName },
      locationId,
      after: { source, total: rows.length },
    });
    return describeImport(tx, call, found(await queries.findImport(tx, call.actor.reach, id)));
  });
}

/** A text of the file, without what cannot be stored. */
const shown = (text: string): string => cutText(text.replaceAll('\0', '�').toWellFormed(), 200);
