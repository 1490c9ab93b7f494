import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { commandLine, settingsCommand } from '#lib/command-line.ts';
import type { Command, Values } from './cli-command.ts';
import { embeddedDatabase } from './cli-database.ts';
import { explain } from './explain.ts';
import { readSettings, type Settings, SettingsError } from './settings.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** An invalid command line, printed to stderr with exit code 2. */
class UsageError extends Error {}

const columns = (rows: readonly (readonly [string, string])[]): string[] => {
  const width = Math.max(0, ...rows.map(([name]) => name.length)) + 2;
  return rows.map(([name, about]) => `  ${name.padEnd(width)}${about}`);
};

function overview(commands: Readonly<Record<string, Command>>): string[] {
  return [
    `${commandLine} <command> [options]`,
    '',
    'Commands:',
    ...columns(Object.entries(commands).map(([name, { about }]) => [name, about])),
    '',
    'They work on DATABASE_URL, or on the embedded database of DATA_DIR, whether the product runs or not.',
    `The settings are those of the product (${settingsCommand}). More of one: ${commandLine} <command> --help`,
  ];
}

function usage(name: string, command: Command): string[] {
  const options = Object.entries(command.options);
  const rows = options.map(([option, { type, about, must }]): [string, string] => [
    `--${option}${type === 'string' ? ' …' : ''}`,
    must ? `${about} (needed)` : about,
  ]);
  return [
    `${commandLine} ${name}${command.words ? ` ${command.words}` : ''}${rows.length ? ' [options]' : ''}`,
    '',
    `  ${command.about}`,
    '',
    ...columns(rows),
  ];
}

function readOptions(name: string, command: Command, args: readonly string[]) {
  const options = Object.fromEntries(Object.entries(command.options).map(([option, { type }]) => [option, { type }]));
  const read = () => {
    try {
      const allowPositionals = command.words !== undefined;
      return parseArgs({ args: [...args], options: { ...options, help: { type: 'boolean' } }, allowPositionals });
    } catch (error) {
      throw new UsageError(`${(error as Error).message.split('.')[0]} (portico ${name} --help)`);
    }
  };
  const { positionals, ...parsed } = read();
  const values = parsed.values as Record<string, string | boolean | undefined>;
  const missing = Object.entries(command.options).find(([option, { must }]) => must && !values[option]);
  if (missing && !values['help']) throw new UsageError(`--${missing[0]} is needed (portico ${name} --help)`);
  return { values, positionals };
}

// The reader of a pipe may have seen enough, as `head` does. The command goes on, so that it stops what it started.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});
const print = (line: string): boolean => process.stdout.write(`${line}\n`);

async function withApp(settings: Settings, command: Command, values: Values): Promise<number> {
  const postgres = settings.DATABASE_URL ? undefined : await embeddedDatabase(settings);
  try {
    const { openApp } = await import('./services/open-app.ts');
    const app = await openApp(settings, settings.DATABASE_URL ?? postgres!.url, { anyKey: command.anyKey === true });
    try {
      return await command.run!(app, values, print);
    } finally {
      await app.stop();
    }
  } finally {
    await postgres?.stop();
  }
}

/** Commands that run often do not load the other ones, and with them the whole product. */
async function commandsFor([first, second]: readonly string[]): Promise<Readonly<Record<string, Command>>> {
  // Containers ask every few seconds.
  if (first === 'health') return { health: (await import('./cli-health.ts')).health };
  if (first === 'import') return { import: (await import('./cli-import.ts')).importCommand };
  if (first === 'api') return { api: (await import('./cli-api.ts')).apiCommand };
  if (first === 'backup' || first === 'restore') return (await import('./cli-backup.ts')).backupCommands;
  if (first === 'tenant' && /^(export|import|move)$/.test(second ?? ''))
    return (await import('./cli-move.ts')).moveCommands;
  return (await import('./cli-commands.ts')).commands;
}

async function run(args: readonly string[]): Promise<number> {
  const commands = await commandsFor(args);
  const words = commands[args.slice(0, 2).join(' ')] || !commands[args[0] ?? ''] ? 2 : 1;
  const name = args.slice(0, words).join(' ');
  const command = commands[name];
  if (!command) {
    if (args.length > 0 && !args.includes('--help') && args[0] !== 'help')
      throw new UsageError(`There is no command ${name} (portico --help)`);
    overview(commands).forEach(print);
    return 0;
  }
  const { values, positionals } = readOptions(name, command, args.slice(words));
  if (values['help']) {
    usage(name, command).forEach(print);
    return 0;
  }
  let settings: Settings;
  try {
    settings = readSettings({ environment: process.env, folder: root }) as Settings;
  } catch (error) {
    if (error instanceof SettingsError && command.refused) return command.refused(error, values, print);
    throw error;
  }
  if (command.offline && values['offline']) return command.offline(settings, values, print);
  return command.alone ? command.alone(settings, values, print, positionals) : withApp(settings, command, values);
}

try {
  process.exitCode = await run(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`${explain(error)}\n`);
  process.exitCode = error instanceof UsageError ? 2 : 1;
}
