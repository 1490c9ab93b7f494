import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Command, Print, Values } from './cli-command.ts';
import { embeddedDatabase } from './cli-database.ts';
import { examine } from './services/doctor/doctor.ts';
import { type Finding, warning } from './services/doctor/finding.ts';
import { settingsRefused } from './services/doctor/machine.ts';
import type { Settings } from './settings.ts';

const labels = { ok: 'ok', warning: 'warning', failure: 'FAILURE' };

function report(findings: readonly Finding[], values: Values, print: Print): number {
  const failed = findings.some(it => it.level === 'failure');
  if (values['json']) print(JSON.stringify({ ok: !failed, findings }, null, 2));
  else
    for (const { check, level, message, remedy } of findings)
      print(`${labels[level].padEnd(8)} ${check.padEnd(10)} ${message}${remedy ? `. To do: ${remedy}` : ''}`);
  return failed ? 1 : 0;
}

/** Runs the doctor's questions on the database. An embedded one that was never started is not created. */
async function withDatabase(settings: Settings, work: (url: string) => Promise<Finding[]>): Promise<Finding[]> {
  if (settings.DATABASE_URL) return work(settings.DATABASE_DIRECT_URL ?? settings.DATABASE_URL);
  if (!existsSync(path.join(settings.DATA_DIR, 'postgres/data')))
    return [warning('database', `no database in ${settings.DATA_DIR}`, 'Start the product once, or correct DATA_DIR')];
  const postgres = await embeddedDatabase(settings);
  try {
    return await work(postgres.url);
  } finally {
    await postgres.stop();
  }
}

export const doctor: Command = {
  about: 'print what is wrong with this installation, and what to do; exit code 1 on a failure',
  options: { json: { type: 'boolean', about: 'as JSON' } },
  alone: async (settings, values, print) =>
    report(await examine(settings, work => withDatabase(settings, work)), values, print),
  refused: (error, values, print) => report([settingsRefused(error)], values, print),
};
