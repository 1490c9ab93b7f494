import type { Language } from '@portico/contract/errors.ts';
import type { MessageKey } from '@portico/contract/field-messages.ts';
import type { ImportProblem } from '@portico/contract/import-preview.ts';
import { type MacForm, type MacImportPreview, macForm, macImportLimits, macTypes } from '@portico/contract/networks.ts';
import { fieldErrors, say } from '@portico/contract/validation.ts';
import type { Tx } from '#db/tenant.ts';
import { audit } from '#features/audit/public.ts';
import type { Actor } from '#http/actor.ts';
import { AppError, found, invalid } from '#http/app-error.ts';
import type { Context, Upload } from '#http/call.ts';
import { readTable, type Table } from '#http/csv-upload.ts';
import { FieldsError } from '#http/mount.ts';
import { unstorable } from '#http/unstorable.ts';
import { byteOrderMark, csvLine, plainCell } from '#lib/csv.ts';
import { type CsvRecord, plainWord } from '#lib/csv-read.ts';
import { newId } from '#lib/ids.ts';
import { pushMacs } from './commands.service.ts';
import { findPlace } from './devices.queries.ts';
import { insertMacs, nextMacs, rulesFor } from './macs.queries.ts';
import { networkNames } from './networks.queries.ts';

type Call = Context & { actor: Actor };
type MacType = MacForm['type'];

const listed = { problems: 200, sample: 10 };
const chunk = 1000;
/** Separates the names of networks within a cell. */
const between = '|';

const columns = ['mac', 'type', 'comment', 'networks'] as const;
type Column = (typeof columns)[number];

const headers = {
  en: { mac: 'MAC address', type: 'Type', comment: 'Comment', networks: 'Networks' },
  tr: { mac: 'MAC adresi', type: 'Tür', comment: 'Açıklama', networks: 'Ağlar' },
} as const satisfies Record<Language, Record<Column, string>>;

const types = {
  en: { bypassed: 'Allowed', blocked: 'Blocked' },
  tr: { bypassed: 'İzinli', blocked: 'Engelli' },
} as const satisfies Record<Language, Record<MacType, string>>;

const knownColumns = new Map<string, Column>(
  columns.flatMap(column =>
    [column, headers.en[column], headers.tr[column]].map(word => [plainWord(word), column] as const),
  ),
);
const knownTypes = new Map<string, MacType>(
  macTypes.flatMap(type => [type, types.en[type], types.tr[type]].map(word => [plainWord(word), type] as const)),
);

/** All rules of a device, newest first, as a CSV file that can be imported again. */
export async function exportMacs(call: Call, deviceId: string): Promise<AsyncGenerator<string>> {
  const names = await call.inTenant(async tx => {
    const { location_id: locationId } = found(await findPlace(tx, call.actor.reach, deviceId));
    const subject = { type: 'mac-rule' as const, name: 'mac-list.csv' };
    await audit(tx, call.actor, { verb: 'export', subject, locationId, deviceId });
    return new Map((await networkNames(tx, deviceId)).map(({ id, name }) => [id, name]));
  });
  return lines(call, deviceId, names);
}

async function* lines(call: Call, deviceId: string, names: ReadonlyMap<string, string>): AsyncGenerator<string> {
  const { language } = call;
  yield byteOrderMark + csvLine(columns.map(column => headers[language][column]));
  for (let after: string | null = null; ; ) {
    const rows = await call.inTenant(tx => nextMacs(tx, deviceId, { after, limit: chunk }));
    yield rows
      .map(({ mac, type, comment, networks }) => {
        const where = networks.flatMap(id => names.get(id) ?? []).join(` ${between} `);
        return csvLine([mac, types[language][type], comment, where]);
      })
      .join('');
    if (rows.length < chunk) return;
    after = rows.at(-1)!.id;
  }
}

interface Rule {
  readonly line: number;
  readonly form: MacForm;
}

interface Checked {
  readonly locationId: string;
  readonly rows: number;
  readonly rules: Rule[];
  readonly problems: ImportProblem[];
  readonly ignored: string[];
  readonly names: ReadonlyMap<string, string>;
}

/** The position of each column in the file, and the columns without a field. */
function matchColumns(header: CsvRecord) {
  const at = new Map<Column, { index: number; title: string }>();
  const ignored: string[] = [];
  for (const [index, cell] of header.cells.entries()) {
    const title = cell.trim();
    const column = knownColumns.get(plainWord(title));
    if (column && !at.has(column)) at.set(column, { index, title });
    else if (title) ignored.push(title);
  }
  return { at, ignored };
}

/** Reads a file for a device that the caller may see. No transaction waits for that. */
async function readFor(call: Call, deviceId: string, file: Upload): Promise<Table> {
  found(await call.read(tx => findPlace(tx, call.actor.reach, deviceId)));
  return readTable(file, macImportLimits.rows);
}

/** Collects the problems of the lines of a file. Locks the device until the rules are stored. */
async function check(tx: Tx, call: Call, deviceId: string, { header, records }: Table): Promise<Checked> {
  const { language } = call;
  const place = found(await findPlace(tx, call.actor.reach, deviceId, 'lock'));
  const { at, ignored } = matchColumns(header);
  for (const column of ['mac', 'type'] as const)
    if (!at.has(column)) throw invalid({ file: ['csv_column', { name: headers[language][column] }] });

  const problems: ImportProblem[] = [];
  const addProblem = (line: number, column: Column, message: string) =>
    problems.push({ line, column: at.get(column)?.title ?? headers[language][column], message });
  const word = (key: MessageKey, values?: Record<string, unknown>) => say(key, language, values);

  const typeWords = Object.values(types[language]).join(', ');
  const networks = await networkNames(tx, deviceId);
  const rules: Rule[] = [];
  for (const { line, cells } of records) {
    // Our exports put an apostrophe before text that a spreadsheet would run as a formula.
    const text = (column: Column) => plainCell((cells[at.get(column)?.index ?? -1] ?? '').trim());
    const wanted = text('networks')
      ? text('networks')
          .split(between)
          .map(name => name.trim())
          .filter(Boolean)
      : [];
    const lower = (name: string) => name.toLocaleLowerCase('tr');
    const chosen = wanted.map(name => networks.filter(it => lower(it.name.trim()) === lower(name)));
    const input = {
      mac: text('mac'),
      type: knownTypes.get(plainWord(text('type'))) ?? text('type'),
      comment: text('comment'),
    };
    const unkeepable = unstorable(input);
    if (unkeepable !== undefined) {
      addProblem(line, unkeepable as Column, word('plain_text'));
      continue;
    }
    const unknown = chosen.some(those => those.length === 0);
    if (unknown) addProblem(line, 'networks', word('unknown'));
    const ids = [...new Set(chosen.flat().map(({ id }) => id))];
    const parsed = macForm.safeParse(
      { ...input, networks: unknown || !ids.length ? null : ids },
      { reportInput: true },
    );
    if (parsed.success) rules.push({ line, form: parsed.data });
    else
      for (const [field, [message = '']] of Object.entries(fieldErrors(parsed.error.issues, language)))
        addProblem(line, field as Column, field === 'type' ? word('choice', { values: typeWords }) : message);
  }

  const key = ({ mac, type }: Pick<MacForm, 'mac' | 'type'>) => `${mac} ${type}`;
  const macs = rules.map(({ form }) => form.mac);
  const taken = new Set((await rulesFor(tx, deviceId, macs)).map(({ mac, type }) => `${mac.toUpperCase()} ${type}`));
  const first = new Map<string, number>();
  for (const { line, form } of rules) {
    const before = first.get(key(form));
    if (before !== undefined) addProblem(line, 'mac', word('csv_twice', { line: before }));
    else if (taken.has(key(form))) addProblem(line, 'mac', word('mac_listed'));
    first.set(key(form), before ?? line);
  }
  problems.sort((a, b) => a.line - b.line);
  return {
    locationId: place.location_id,
    rows: records.length,
    rules,
    problems,
    ignored,
    names: new Map(networks.map(it => [it.id, it.name])),
  };
}

/** Previews an import. */
export async function previewMacs(call: Call, deviceId: string, file: Upload): Promise<MacImportPreview> {
  const table = await readFor(call, deviceId, file);
  return call.inTenant(async tx => {
    const { rows, rules, problems, ignored, names } = await check(tx, call, deviceId, table);
    return {
      rows,
      valid: rows - new Set(problems.map(({ line }) => line)).size,
      problems: problems.slice(0, listed.problems),
      problem_count: problems.length,
      ignored,
      sample: rules.slice(0, listed.sample).map(({ line, form: { networks, ...form } }) => ({
        line,
        ...form,
        networks: (networks ?? []).flatMap(id => names.get(id) ?? []),
      })),
    };
  });
}

/** Adds all rules of a file or none, sends them to the router and writes an audit entry for each. */
export async function importMacs(call: Call, deviceId: string, file: Upload): Promise<{ created: number }> {
  const table = await readFor(call, deviceId, file);
  return call.inTenant(async tx => {
    const { locationId, rules, problems } = await check(tx, call, deviceId, table);
    if (problems.length) {
      const said = problems.slice(0, listed.problems).map(it => say('csv_line', call.language, { ...it }));
      throw new FieldsError({ file: said });
    }
    // Rules are listed newest first, so the first line is inserted last.
    const ids = rules
      .map(() => newId())
      .sort()
      .reverse();
    const made = await insertMacs(
      tx,
      deviceId,
      rules.map(({ form }, index) => ({ ...form, id: ids[index]!, networks: form.networks ?? [] })),
    );
    // Another user added one in the meantime.
    if (made.length !== rules.length) throw new AppError('conflict');
    await pushMacs(
      tx,
      { deviceId, userId: call.actor.userId },
      made.map(({ mac }) => mac),
    );
    // At once: a file has up to 5,000 rules, and waiting for the database after each entry takes longer than the entry.
    await Promise.all(
      made.map(({ id, mac: name, type, comment, networks }) =>
        audit(tx, call.actor, {
          verb: 'create',
          subject: { type: 'mac-rule' as const, id, name },
          locationId,
          deviceId,
          after: { type, comment, networks },
        }),
      ),
    );
    return { created: made.length };
  });
}
