import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseEnv } from 'node:util';
import { requireVersion } from '#db/tenant-load.ts';
import { CommandError } from '#lib/command-error.ts';
import { type Command, text, type Values } from './cli-command.ts';
import { embeddedDatabase } from './cli-database.ts';
import {
  cancelMove,
  confirmMove,
  exportTenant,
  type Installation,
  importTenant,
  moveTenant,
  switchTo,
  undoImport,
} from './services/move/move.ts';
import { minPassphrase, newPassphrase } from './services/move/package.ts';
import { openApp } from './services/open-app.ts';
import { readSettings, type Settings } from './settings.ts';

async function withInstallation<T>(
  settings: Settings,
  work: (it: Installation) => Promise<T>,
  { isOther = false } = {},
): Promise<T> {
  const postgres = settings.DATABASE_URL ? undefined : await embeddedDatabase(settings);
  try {
    const url = settings.DATABASE_URL ?? postgres!.url;
    const direct = settings.DATABASE_DIRECT_URL ?? url;
    if (isOther) await requireVersion(direct);
    const app = await openApp(settings, url);
    try {
      return await work({ app, url: direct });
    } finally {
      await app.stop();
    }
  } finally {
    await postgres?.stop();
  }
}

/** The installation whose settings are in a file, such as /etc/portico.env. */
function settingsAt(file: string): Settings {
  let content: string;
  try {
    content = readFileSync(file, 'utf8');
  } catch {
    throw new CommandError(`--to must name the settings of the other installation: ${file} cannot be read`);
  }
  return readSettings({ environment: parseEnv(content), folder: path.dirname(path.resolve(file)) }) as Settings;
}

function passphraseOf(values: Values): string | undefined {
  const file = text(values, 'passphrase-file');
  if (file === undefined) return undefined;
  const passphrase = readFileSync(file, 'utf8').trim();
  if (passphrase.length < minPassphrase)
    throw new CommandError(`The passphrase must have at least ${minPassphrase} characters`);
  return passphrase;
}

const withoutArchive = {
  type: 'boolean',
  about: 'although old sessions in ClickHouse stay behind',
} as const;
const tenant = { type: 'string', about: 'the slug of the tenant', must: true } as const;

/** Tenants that go from one installation to another one of the same version. */
export const moveCommands: Readonly<Record<string, Command>> = {
  'tenant export': {
    about:
      'freeze a tenant and write its rows, files and secrets into a folder; "tenant move --cancel" ends the freeze',
    options: {
      tenant,
      to: { type: 'string', about: 'the folder, which must be empty or of an export that was interrupted', must: true },
      'passphrase-file': { type: 'string', about: 'a file with the passphrase (default: one is made and printed)' },
      'without-archive': withoutArchive,
    },
    async alone(settings, values, print) {
      const folder = path.resolve(text(values, 'to')!);
      const given = passphraseOf(values);
      const passphrase = given ?? newPassphrase();
      await withInstallation(settings, it =>
        exportTenant(
          it,
          { slug: text(values, 'tenant')!, folder, passphrase, withoutArchive: values['without-archive'] === true },
          print,
        ),
      );
      if (given === undefined) print(`Passphrase  ${passphrase} (shown once)`);
      return 0;
    },
  },
  'tenant import': {
    about: 'add an exported tenant to this installation, with all others untouched; may be repeated',
    options: {
      from: { type: 'string', about: 'the folder of the export' },
      'passphrase-file': { type: 'string', about: 'a file with the passphrase' },
      undo: { type: 'string', about: 'remove this tenant (its slug) again, which was imported' },
    },
    async alone(settings, values, print) {
      const undo = text(values, 'undo');
      if (undo !== undefined) {
        await withInstallation(settings, it => undoImport(it, undo));
        print(`Removed   ${undo}`);
        return 0;
      }
      const from = text(values, 'from');
      const passphrase = passphraseOf(values);
      if (from === undefined || passphrase === undefined)
        throw new CommandError('--from and --passphrase-file are needed (or --undo)');
      await withInstallation(settings, it => importTenant(it, { folder: path.resolve(from), passphrase }, print));
      print('Now, where it came from: portico tenant move --tenant … --switch --panel … --captive …');
      return 0;
    },
  },
  'tenant move': {
    about: 'move a tenant to another installation of the same version; may be repeated until confirmed',
    options: {
      tenant,
      to: { type: 'string', about: 'the file with the settings of the other installation, such as /etc/portico.env' },
      switch: { type: 'boolean', about: 'after an import by hand: lead routers, guests and operators there' },
      panel: { type: 'string', about: 'with --switch: the address of the panel there' },
      captive: { type: 'string', about: 'with --switch: the address of the guest portal there' },
      confirm: { type: 'boolean', about: 'remove the tenant here, after it works there' },
      'without-archive': withoutArchive,
      cancel: { type: 'boolean', about: 'serve it here again; with --to, remove it there' },
    },
    async alone(settings, values, print) {
      const slug = text(values, 'tenant')!;
      const file = text(values, 'to');
      const other = <T>(work: (to: Installation | undefined) => Promise<T>): Promise<T> =>
        file === undefined ? work(undefined) : withInstallation(settingsAt(file), work, { isOther: true });
      return withInstallation(settings, from =>
        other(async to => {
          if (values['confirm']) {
            await confirmMove(from, slug);
            print(`Confirmed ${slug}: it is removed here`);
          } else if (values['cancel']) {
            await cancelMove(from, to, slug);
            print(`Cancelled ${slug}: it is served here as before`);
          } else if (values['switch']) {
            const [panelUrl, captiveUrl] = [originOf(values, 'panel'), originOf(values, 'captive')];
            await switchTo(from, slug, { panelUrl, captiveUrl });
            print(`Moved     ${slug} to ${panelUrl}`);
          } else {
            if (!to) throw new CommandError('--to, --switch, --confirm or --cancel is needed');
            await moveTenant(from, to, { slug, withoutArchive: values['without-archive'] === true }, print);
            print(
              'Point its host names there. When it works: --confirm. To undo everything: --cancel with the same --to',
            );
          }
          return 0;
        }),
      );
    },
  },
};

function originOf(values: Values, name: string): string {
  const url = text(values, name) ?? '';
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw new CommandError(`--${name} must be an address as https://wifi.example.com`);
  return new URL(url).origin;
}
