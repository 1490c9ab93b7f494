import { readFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sessionFile } from '@portico/contract/import-kinds.ts';
import type { VisitorImport } from '@portico/contract/imports.ts';
import { CommandError } from '#lib/command-error.ts';
import { accountOf, accountOptions, send } from './cli-api.ts';
import { type Command, type Print, text, type Values } from './cli-command.ts';

const pauseMs = 1000;
const at = '/v1/panel/client-import';

/** Calls the API about imports; an answer that is no success is an error with its message and fields. */
function caller(publicUrl: string, values: Values) {
  const { base, headers } = accountOf(publicUrl, values);
  return async (method: string, to: string, body?: FormData | object): Promise<VisitorImport> => {
    const json = body && !(body instanceof FormData);
    const response = await send(new URL(to, base), {
      method,
      headers: { ...headers, ...(json && { 'content-type': 'application/json' }) },
      ...(body && { body: json ? JSON.stringify(body) : body }),
    });
    const answer = (await response.json()) as { data: VisitorImport; message?: string; errors?: object };
    if (!response.ok) {
      const fields = answer.errors ? ` ${JSON.stringify(answer.errors)}` : '';
      throw new Error(`${response.status} ${answer.message ?? ''}${fields}`);
    }
    return answer.data;
  };
}

/** `students=0190…` as the session profile of a group. The empty name stands for the visitors without a group. */
function choicesOf(words: readonly string[], it: VisitorImport) {
  return words.map(word => {
    const end = word.lastIndexOf('=');
    const name = word.slice(0, Math.max(0, end));
    if (end < 0 || !it.groups.some(group => group.name === name))
      throw new Error(`The file has no group ${word}: write <group>=<id of the session profile>`);
    return { name, profile_id: word.slice(end + 1) || null };
  });
}

function reportSessions(it: VisitorImport, print: Print): void {
  const { first_at, last_at, skipped, problem } = it.sessions!;
  print(`Import    ${it.id} (${it.location.name})`);
  if (problem) print(`Problem   ${problem}`);
  print(
    `Sessions  ${it.total}: ${it.created} to import, ${it.skipped} to skip; ${first_at ?? '–'} to ${last_at ?? '–'}`,
  );
  for (const { message, count, line } of skipped)
    print(`Skipped   ${count}${line ? `, first in line ${line}` : ''}: ${message}`);
}

function report(it: VisitorImport, print: Print): void {
  if (it.sessions) return reportSessions(it, print);
  print(`Import    ${it.id} (${it.source}, ${it.location.name})`);
  print(`Visitors  ${it.total}: ${it.created} to create, ${it.updated} to update, ${it.skipped} to skip`);
  for (const group of it.groups)
    print(`Group     ${group.name || '(none)'}: ${group.visitors}, session profile ${group.profile_id ?? 'none'}`);
  for (const { form, count } of it.passwords) print(`Passwords ${form}: ${count}`);
  for (const { name, count, line } of it.unknown) print(`Unknown   ${name}: ${count}, first in line ${line}`);
  if (it.accounting > 0) print(`Sessions  ${it.accounting}: import them with --sessions`);
  for (const { line, username, message } of it.problems) print(`Line ${line}  ${username}: ${message}`);
}

/** Imports visitors from another program, by the same calls as the panel. */
export const importCommand: Command = {
  about: 'import visitors from a file of another program: a report, and with --start for real',
  words: '<file> [<group>=<session profile> …]',
  options: {
    start: { type: 'boolean', about: 'create the visitors; without it there is a report only' },
    sessions: { type: 'boolean', about: 'import the past sessions (radacct) of an SQL dump instead of its visitors' },
    existing: { type: 'string', about: 'visitors that exist: keep (default) or update' },
    location: { type: 'string', about: 'the id of the location (default: that of the token, or the only one)' },
    id: {
      type: 'string',
      about:
        'instead of a file: an import that was read or started before; with --sessions and the file: send the rest of it',
    },
    ...accountOptions,
  },
  async alone(settings, values, print, words = []) {
    const call = caller(settings.PUBLIC_URL, values);
    const known = text(values, 'id');
    const sessions = values['sessions'] === true;
    const file = known && !sessions ? undefined : words[0];
    const groups = file ? words.slice(1) : words;
    if (!known && !file) throw new Error('A file or --id is needed (portico import --help)');
    const location = text(values, 'location');
    let it = !file
      ? await call('GET', `${at}/${known}`)
      : sessions
        ? await sendSessions(call, file, { location, known })
        : await call('POST', at, uploadOf(file, location));
    for (; it.state === 'reading'; it = await call('GET', `${at}/${it.id}`)) await sleep(pauseMs);
    if (it.state === 'failed' || it.state === 'uploading') {
      report(it, print);
      if (it.state === 'uploading') print(`Send the rest: portico import --sessions --id ${it.id} <file>`);
      return 1;
    }
    const existing = text(values, 'existing');
    if (it.state === 'ready') {
      if (existing || groups.length > 0)
        it = await call('PUT', `${at}/${it.id}`, { existing: existing ?? it.existing, groups: choicesOf(groups, it) });
      report(it, print);
      if (!values['start']) {
        print(`Nothing is created yet: portico import --id ${it.id} --start`);
        return 0;
      }
      it = await call('POST', `${at}/${it.id}/start`);
    }
    // The server does it, and goes on after a restart. This only watches.
    while (it.state === 'running') {
      await sleep(pauseMs);
      it = await call('GET', `${at}/${it.id}`);
      print(`Done      ${it.created + it.updated + it.skipped} of ${it.total}`);
    }
    if (it.state === 'stopped') print('Stopped   Whoever started it may not import there any more.');
    print(`Created   ${it.created}, updated ${it.updated}, skipped ${it.skipped}`);
    for (const { line, username, message } of it.problems) print(`Line ${line}  ${username}: ${message}`);
    return 0;
  },
};

/** How often the answer to a part may be lost in a row. */
const maxLost = 5;

/**
 * Sends a file of past sessions in parts, so that it is never in memory as a whole. Goes on where the server says, also after an
 * answer was lost: the part may have arrived.
 */
async function sendSessions(
  call: ReturnType<typeof caller>,
  file: string,
  { location, known }: { location: string | undefined; known: string | undefined },
): Promise<VisitorImport> {
  const opened = await open(file);
  try {
    const { size } = await opened.stat();
    const body = { location_id: location ?? null, file_name: path.basename(file), bytes: size };
    let it = known ? await call('GET', `${at}/${known}`) : await call('POST', `${at}/sessions`, body);
    if (it.sessions?.bytes !== size) throw new Error(`The import ${it.id} is not of a file of ${size} bytes`);
    const bytes = Buffer.alloc(sessionFile.partBytes);
    for (let lost = 0; it.state === 'uploading'; ) {
      const from = it.sessions!.received;
      const { bytesRead } = await opened.read(bytes, 0, bytes.length, from);
      const form = new FormData();
      form.set('starts_at', String(from));
      form.set('file', new Blob([bytes.subarray(0, bytesRead)]), path.basename(file));
      try {
        it = await call('POST', `${at}/${it.id}/part`, form);
        lost = 0;
      } catch (error) {
        lost += 1;
        if (!(error instanceof CommandError)) throw error;
        if (lost > maxLost)
          throw new CommandError(`${error.message}. Send the rest: portico import --sessions --id ${it.id} ${file}`);
        await sleep(pauseMs);
        it = await call('GET', `${at}/${it.id}`).catch(() => it);
      }
    }
    return it;
  } finally {
    await opened.close();
  }
}

function uploadOf(file: string, location: string | undefined): FormData {
  const form = new FormData();
  if (location) form.set('location_id', location);
  form.set('file', new Blob([readFileSync(file)]), path.basename(file));
  return form;
}
