import { setImmediate } from 'node:timers/promises';
import type { Language } from '@portico/contract/errors.ts';
import type { MessageKey } from '@portico/contract/field-messages.ts';
import type { ImportProblem } from '@portico/contract/import-preview.ts';
import { fieldErrors, say } from '@portico/contract/validation.ts';
import type { ImportPreview, ImportResult } from '@portico/contract/visitor-import.ts';
import { importLimits } from '@portico/contract/visitor-import.ts';
import { type Credentials, type VisitorForm, visitorForm, visitorProviders } from '@portico/contract/visitors.ts';
import type { z } from 'zod';
import type { Tx } from '#db/tenant.ts';
import { tellLater } from '#db/webhook-event.ts';
import { audit } from '#features/audit/public.ts';
import { chooseLocation } from '#features/locations/public.ts';
import { profilesByName } from '#features/profiles/public.ts';
import { AppError, invalid } from '#http/app-error.ts';
import type { Upload } from '#http/call.ts';
import { readTable, type Table } from '#http/csv-upload.ts';
import { FieldsError } from '#http/mount.ts';
import { unstorable } from '#http/unstorable.ts';
import { byteOrderMark, csvLine } from '#lib/csv.ts';
import { newId, randomWord } from '#lib/ids.ts';
import { headers, type ImportColumn, importColumns, methods } from './csv-words.ts';
import { insertImported, inUse, momentsAt } from './import.queries.ts';
import { type Columns, columnOf, type Draft, draftOf, matchColumns, titleOf } from './import-rows.ts';
import { sellDays } from './paid-days.service.ts';
import { type Call, columnsOf, signInUrl } from './visitors.service.ts';

const listed = { problems: 200, sample: 10 };
const generatedLength = 8;
const chunk = 1000;
const breath = 200;

interface Read {
  readonly line: number;
  readonly form: VisitorForm;
  readonly profile: string;
  readonly generated: boolean;
}

interface Checked {
  readonly locationId: string;
  readonly columns: Columns;
  readonly rows: number;
  readonly read: Read[];
  readonly problems: ImportProblem[];
  /** Lines whose days are not sold. */
  readonly warnings: ImportProblem[];
  /** Lines with a problem. */
  readonly bad: Set<number>;
}

/** Collects the problems of all lines of a file. It was read before, because no transaction should wait for that. */
async function check(
  tx: Tx,
  call: Call,
  named: string | null | undefined,
  { header, records }: Table,
): Promise<Checked> {
  const { language } = call;
  const columns = matchColumns(header);
  if (!columns.at.has('name')) throw invalid({ file: ['csv_column', { name: headers[language].name }] });
  const locationId = await chooseLocation(tx, call.actor, named);
  const profiles = await profilesByName(tx, locationId);
  const problems: ImportProblem[] = [];
  const warnings: ImportProblem[] = [];
  const bad = new Set<number>();
  const report = (line: number, column: ImportColumn, message: string) => {
    bad.add(line);
    problems.push({ line, column: titleOf(columns, column, language), message });
  };
  const word = (key: MessageKey, values?: Record<string, unknown>) => say(key, language, values);

  const drafts = records.map(record => draftOf(columns, record));
  const moment = await moments(tx, locationId, drafts);
  const read: Read[] = [];
  for (const [index, draft] of drafts.entries()) {
    // A long file must not block other requests.
    if (index % breath === breath - 1) await setImmediate();
    const profile = profiles.get(draft.profile.toLocaleLowerCase('tr'));
    for (const column of draft.unreadable) report(draft.line, column, word('date'));
    if (draft.profile && !profile) report(draft.line, 'profile', word('unknown'));
    const generated = draft.input['provider_type'] === 'username' && draft.input['password'] === null;
    const input = {
      ...draft.input,
      profile_id: profile?.id ?? null,
      session_start_at: draft.validFrom && moment.get(draft.validFrom),
      session_end_at: draft.validUntil && moment.get(draft.validUntil),
      ...(generated && { password: randomWord(generatedLength) }),
    };
    const unkeepable = unstorable(input);
    if (unkeepable !== undefined) {
      report(draft.line, columnOf(unkeepable), word('plain_text'));
      continue;
    }
    const parsed = visitorForm.safeParse(input, { reportInput: true });
    if (parsed.success) {
      const paid = profile?.paid ? parsed.data.total_paid_day : 0;
      if (profile?.paid && !paid && !input.session_end_at) report(draft.line, 'paid_days', word('paid_days'));
      if (parsed.data.total_paid_day > paid)
        warnings.push({
          line: draft.line,
          column: titleOf(columns, 'paid_days', language),
          message: word('days_not_sold'),
        });
      read.push({
        line: draft.line,
        form: { ...parsed.data, total_paid_day: paid },
        profile: draft.profile,
        generated,
      });
      continue;
    }
    // One problem per column: unreadable cells are reported above, and a date is three fields of the form.
    const reported = new Set<ImportColumn>(draft.unreadable);
    const issues = parsed.error.issues.map(it => inWords(it, language));
    for (const [field, [message = '']] of Object.entries(fieldErrors(issues, language))) {
      const column = columnOf(field);
      if (!reported.has(column)) report(draft.line, column, message);
      reported.add(column);
    }
  }
  for (const { line, column, message, values } of await repeated(tx, call, locationId, read))
    report(line, column, word(message, values));
  problems.sort((a, b) => a.line - b.line);
  return { locationId, columns, rows: records.length, read, problems, warnings, bad };
}

/** Replaces the allowed sign-in methods of an error by their names in CSV files. */
const inWords = (issue: z.core.$ZodIssue, language: Language): z.core.$ZodIssue =>
  issue.code === 'invalid_value' && issue.path[0] === 'provider_type'
    ? { ...issue, values: visitorProviders.map(slug => methods[language][slug]) }
    : issue;

/** The moments of all local times in the file. */
async function moments(tx: Tx, locationId: string, drafts: readonly Draft[]): Promise<Map<string, string>> {
  const times = [...new Set(drafts.flatMap(it => [it.validFrom, it.validUntil]).filter(it => it !== undefined))];
  const found = await momentsAt(tx, locationId, times);
  return new Map(times.map((time, index) => [time, found[index]!]));
}

/** Usernames and identity numbers that are already in use or occur twice in the file. */
async function repeated(tx: Tx, call: Call, locationId: string, read: readonly Read[]) {
  const hash = (it: Read) =>
    it.form.provider_type === 'citizen-id' && it.form.provider_id
      ? call.app.secrets.index(it.form.provider_id).toString('hex')
      : undefined;
  const name = (it: Read) => (it.form.provider_type === 'username' ? it.form.username : undefined) ?? undefined;
  const defined = (values: (string | undefined)[]) => values.filter(value => value !== undefined);
  const used = await inUse(tx, locationId, {
    usernames: defined(read.map(name)),
    citizens: defined(read.map(hash)),
  });
  const found: { line: number; column: ImportColumn; message: MessageKey; values?: Record<string, unknown> }[] = [];
  const first = new Map<string, number>();
  for (const it of read) {
    for (const [column, key, taken] of [
      ['username', name(it), used.usernames],
      ['citizen_id', hash(it), used.citizens],
    ] as const) {
      if (key === undefined) continue;
      const line = first.get(`${column} ${key}`);
      if (line !== undefined) found.push({ line: it.line, column, message: 'csv_twice', values: { line } });
      else if (taken.has(key)) found.push({ line: it.line, column, message: 'taken' });
      first.set(`${column} ${key}`, line ?? it.line);
    }
  }
  return found;
}

/** The preview of an import. */
export async function previewImport(
  call: Call,
  named: string | null | undefined,
  file: Upload,
): Promise<ImportPreview> {
  const table = await readTable(file, importLimits.rows);
  return call.inTenant(async tx => {
    const { columns, rows, read, problems, warnings, bad } = await check(tx, call, named, table);
    return {
      rows,
      valid: rows - bad.size,
      problems: problems.slice(0, listed.problems),
      problem_count: problems.length,
      warnings: warnings.slice(0, listed.problems),
      warning_count: warnings.length,
      ignored: [...columns.ignored],
      sample: read.slice(0, listed.sample).map(({ line, form, profile }) => ({
        line,
        name: form.name,
        provider_type: form.provider_type,
        provider_id: form.username ?? form.provider_id ?? form.room_number ?? null,
        profile: profile || null,
      })),
    };
  });
}

/** Creates all visitors of a file, or none. */
export async function importVisitors(
  call: Call,
  named: string | null | undefined,
  file: Upload,
): Promise<{ data: ImportResult; warnings: string[] }> {
  const table = await readTable(file, importLimits.rows);
  return call.inTenant(async tx => {
    const { locationId, read, problems, warnings } = await check(tx, call, named, table);
    const lines = (of: readonly ImportProblem[]) =>
      of.slice(0, listed.problems).map(it => say('csv_line', call.language, { ...it }));
    if (problems.length) throw new FieldsError({ file: lines(problems) });
    const people = read.map(({ form }) => ({ id: newId(), ...columnsOf(call.app.secrets, form, form.total_paid_day) }));
    const paid = people.filter(it => it.total_paid_day > 0).map(it => it.id);
    await tellLater(tx, async () => {
      for (let from = 0; from < people.length; from += chunk) {
        const part = people.slice(from, from + chunk);
        if ((await insertImported(tx, locationId, part)) !== part.length) throw new AppError('conflict');
      }
      await sellDays(tx, paid);
    });
    const sold = people.reduce((sum, it) => sum + it.total_paid_day, 0);
    await audit(tx, call.actor, {
      verb: 'create',
      subject: { type: 'visitor', name: 'CSV' },
      locationId,
      after: { total_user: people.length, ...(sold > 0 && { total_paid_day: sold }) },
    });
    return {
      data: { created: people.length, credentials: generatedOf(call, read, people) },
      warnings: lines(warnings),
    };
  });
}

const generatedOf = (call: Call, read: readonly Read[], people: readonly { id: string }[]): Credentials[] =>
  read.flatMap(({ form: { name, username, password }, generated }, index) => {
    if (!generated || !username || !password) return [];
    const { id } = people[index]!;
    return [{ id, name, username, password, sign_in_url: signInUrl(call, id, password) }];
  });

/** The example file, with a line for every sign-in method. */
export async function* importTemplate({ language }: Pick<Call, 'language'>): AsyncGenerator<string> {
  const line = (cells: Partial<Record<ImportColumn, string>>) =>
    csvLine(importColumns.map(column => cells[column] ?? ''));
  const words = methods[language];
  yield byteOrderMark + csvLine(importColumns.map(column => headers[language][column]));
  yield line({ name: 'Ayşe Yılmaz', method: words.username, username: 'ayse.yilmaz', phone: '0530 123 45 67' });
  yield line({ name: 'Ali Demir', method: words['room-number'], room_number: '101', birth_date: '29.02.1984' });
  yield line({ name: 'Can Kaya', method: words['citizen-id'], citizen_id: '10000000146', birth_date: '05.07.1991' });
}
