import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type Embedded, startEmbedded } from '#db/embedded.ts';
import { type Command, commands } from './cli-commands.ts';
import { openApp } from './services/start.ts';
import { readSettings, type Settings } from './settings.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** An invalid command line, printed to stderr with exit code 2. */
class UsageError extends Error {}

const columns = (rows: readonly (readonly [string, string])[]): string[] => {
  const width = Math.max(0, ...rows.map(([name]) => name.length)) + 2;
  return rows.map(([name, about]) => `  ${name.padEnd(width)}${about}`);
};

function overview(): string[] {
  return [
    'npm run portico -- <command> [options]',
    '',
    'Commands:',
    ...columns(Object.entries(commands).map(([name, { about }]) => [name, about])),
    '',
    'They work on DATABASE_URL, or on the embedded database of DATA_DIR while the product is not running.',
    'The settings are those of npm start. More of one: npm run portico -- <command> --help',
  ];
}

function usage(name: string, command: Command): string[] {
  const options = Object.entries(command.options);
  const rows = options.map(([option, { type, about, must }]): [string, string] => [
    `--${option}${type === 'string' ? ' …' : ''}`,
    must ? `${about} (needed)` : about,
  ]);
  return [
    `npm run portico -- ${name}${rows.length ? ' [options]' : ''}`,
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
      return parseArgs({ args: [...args], options: { ...options, help: { type: 'boolean' } } }).values;
    } catch (error) {
      throw new UsageError(`${(error as Error).message.split('.')[0]} (portico ${name} --help)`);
    }
  };
  const values = read() as Record<string, string | boolean | undefined>;
  const missing = Object.entries(command.options).find(([option, { must }]) => must && !values[option]);
  if (missing && !values['help']) throw new UsageError(`--${missing[0]} is needed (portico ${name} --help)`);
  return values;
}

const print = (line: string): boolean => process.stdout.write(`${line}\n`);

/** The embedded database serves one process, which may be the running product. */
function embedded({ DATA_DIR }: Settings, command: Command): Promise<Embedded> {
  return startEmbedded(path.join(DATA_DIR, 'postgres')).catch((error: Error) => {
    if (!error.message.startsWith('Another copy')) throw error;
    throw new Error(
      `The product is running on ${DATA_DIR}: stop it for this command, or give it a DATABASE_URL${command.offline ? ', or ask with --offline' : ''}`,
    );
  });
}

async function withApp(
  settings: Settings,
  command: Command,
  values: Record<string, string | boolean | undefined>,
): Promise<number> {
  const postgres = settings.DATABASE_URL ? undefined : await embedded(settings, command);
  try {
    const app = await openApp(settings, settings.DATABASE_URL ?? postgres!.url);
    try {
      return await command.run(app, values, print);
    } finally {
      await app.stop();
    }
  } finally {
    await postgres?.stop();
  }
}

async function run(args: readonly string[]): Promise<number> {
  const name = args.slice(0, 2).join(' ');
  const command = commands[name];
  if (!command) {
    if (args.length > 0 && !args.includes('--help') && args[0] !== 'help')
      throw new UsageError(`There is no command ${name} (portico --help)`);
    overview().forEach(print);
    return 0;
  }
  const values = readOptions(name, command, args.slice(2));
  if (!values['help']) {
    const settings = readSettings({ environment: process.env, folder: root }) as Settings;
    return command.offline && values['offline']
      ? command.offline(settings, values, print)
      : withApp(settings, command, values);
  }
  usage(name, command).forEach(print);
  return 0;
}

try {
  process.exitCode = await run(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = error instanceof UsageError ? 2 : 1;
}
