import { existsSync } from 'node:fs';
import { endSso, makeTenant, resetUserPassword } from '#features/auth/public.ts';
import { confirmClock } from '#features/clock/public.ts';
import { fileStore, registeredHeads, type VerifyOptions, verifyFile, verifyLogs } from '#features/logs/public.ts';
import { verifyFigures } from '#features/sessions/public.ts';
import { tenantTable } from '#features/tenants/public.ts';
import { unknownDeviceCommands } from '#features/unknown-devices/public.ts';
import { CommandError } from '#lib/command-error.ts';
import { panelLink } from '#mail/links.ts';
import { apiCommand } from './cli-api.ts';
import { backupCommands } from './cli-backup.ts';
import { type Command, text, type Values } from './cli-command.ts';
import { doctor } from './cli-doctor.ts';
import { health } from './cli-health.ts';
import { importCommand } from './cli-import.ts';
import { moveCommands } from './cli-move.ts';
import { offlineSign, rotateKey } from './services/key-rotation.ts';
import { acceptKey } from './services/secret-key.ts';
import { type Settings, settingsHelp } from './settings.ts';

function emailOf(values: Values, name: string): string {
  const email = text(values, name)!.toLowerCase();
  if (!/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email)) throw new CommandError(`--${name} must be an e-mail address`);
  return email;
}

function dayOf(values: Values, name: string): string | undefined {
  const day = text(values, name);
  if (day === undefined) return undefined;
  const time = /^\d{4}-\d{2}-\d{2}$/.test(day) ? new Date(`${day}T00:00:00Z`) : new Date(Number.NaN);
  if (Number.isNaN(time.getTime()) || time.toISOString().slice(0, 10) !== day)
    throw new CommandError(`--${name} must be a day as 2026-01-31`);
  return day;
}

const verify = (
  { settings, ...known }: { settings: Settings } & Pick<VerifyOptions, 'sign' | 'heads'>,
  values: Values,
  print: (line: string) => void,
): Promise<number> => {
  const options = { ...known, dataDir: settings.DATA_DIR, store: fileStore(settings), print };
  const file = text(values, 'file');
  if (file === undefined) return verifyLogs(options);
  if (!existsSync(file)) throw new CommandError(`There is no file ${file}`);
  return verifyFile(file, options);
};

const shownOnce = (email: string, password: string, given: boolean): string =>
  given ? `Sign in  ${email}` : `Sign in  ${email} / ${password} (shown once)`;

/** Every command by its words on the command line. */
export const commands: Readonly<Record<string, Command>> = {
  health,
  doctor,
  settings: {
    about: 'list every setting with its default',
    options: {},
    async alone(_settings, _values, print) {
      print(settingsHelp());
      return 0;
    },
    refused: (_error, _values, print) => {
      print(settingsHelp());
      return 0;
    },
  },
  api: apiCommand,
  import: importCommand,
  ...backupCommands,
  ...moveCommands,
  ...unknownDeviceCommands,
  'secret accept': {
    about: 'accept the current SECRET_KEY, because the right one is lost',
    options: {},
    anyKey: true,
    async run({ db, settings }, _values, print) {
      print(`Accepted  ${await acceptKey(db, settings)}`);
      print('Enter again what was encrypted: docs/operations.md lists it');
      return 0;
    },
  },
  'secret rotate': {
    about: 'encrypt everything again with SECRET_KEY, which SECRET_KEY_PREVIOUS encrypted; may be repeated',
    options: {},
    async run(app, _values, print) {
      const { fingerprint, changed, unreadable } = await rotateKey(app, print);
      print(`Rotated   ${changed} values to the key ${fingerprint}`);
      if (unreadable > 0) print(`${unreadable} values were unreadable before, and still are`);
      print('Remove SECRET_KEY_PREVIOUS (or secret.key.previous), restart every process, and make a backup');
      return 0;
    },
  },
  'tenant create': {
    about: 'make a tenant with its first administrator',
    options: {
      slug: { type: 'string', about: 'its name in addresses: a-z, 0-9 and hyphens', must: true },
      name: { type: 'string', about: 'its brand name (default: the slug)' },
      email: { type: 'string', about: "the administrator's e-mail address", must: true },
      password: { type: 'string', about: 'the password (default: one is made and printed)' },
      language: { type: 'string', about: "the administrator's language, tr or en (default: en)" },
    },
    async run(app, values, print) {
      const slug = text(values, 'slug')!;
      if (!/^[a-z0-9][a-z0-9-]{0,62}$/.test(slug))
        throw new CommandError('--slug must begin with a letter or digit and hold a-z, 0-9 and hyphens only');
      const language = text(values, 'language') ?? 'en';
      if (language !== 'tr' && language !== 'en') throw new CommandError('--language must be tr or en');
      const email = emailOf(values, 'email');
      const given = text(values, 'password');
      const password = await makeTenant(app, {
        slug,
        name: text(values, 'name') ?? slug,
        email,
        password: given,
        language,
      });
      print(`Tenant   ${slug}`);
      print(`Panel    ${panelLink(app.settings, slug, '/')}`);
      print(shownOnce(email, password, given !== undefined));
      return 0;
    },
  },
  'tenant list': {
    about: 'list the tenants',
    options: {},
    async run(app, _values, print) {
      for (const line of await tenantTable(app)) print(line);
      return 0;
    },
  },
  'tenant allow-passwords': {
    about: 'stop enforcing single sign-on, when the identity provider and the emergency account are lost',
    options: { tenant: { type: 'string', about: 'the slug of the tenant (default: panel)' } },
    async run(app, values, print) {
      const tenant = text(values, 'tenant') ?? 'panel';
      const ended = await endSso(app, tenant);
      print(ended ? `Accounts of ${tenant} sign in with their passwords again` : `${tenant} does not enforce it`);
      return 0;
    },
  },
  'user reset-password': {
    about: "set a user's password and end their sign-ins",
    options: {
      email: { type: 'string', about: "the user's e-mail address", must: true },
      tenant: { type: 'string', about: 'the slug of their tenant (default: panel)' },
      password: { type: 'string', about: 'the new password (default: one is made and printed)' },
      'drop-two-factor': { type: 'boolean', about: 'switch their second factor off as well' },
    },
    async run(app, values, print) {
      const email = emailOf(values, 'email');
      const given = text(values, 'password');
      const password = await resetUserPassword(app, {
        tenant: text(values, 'tenant') ?? 'panel',
        email,
        password: given,
        dropTwoFactor: values['drop-two-factor'] === true,
      });
      print(shownOnce(email, password, given !== undefined));
      return 0;
    },
  },
  'clock confirm': {
    about: "say that the server's clock is right, so that old records are erased again",
    options: {},
    async run(app, _values, print) {
      print(`Confirmed  ${(await confirmClock(app)).toISOString()}`);
      return 0;
    },
  },
  'verify figures': {
    about: 'compare the totals of days with their sessions; the exit code is 1 when something differs',
    options: {
      from: { type: 'string', about: 'the first day, as 2026-01-31', must: true },
      to: { type: 'string', about: 'the last day (default: the first)' },
      tenant: { type: 'string', about: 'the slug of one tenant (default: all)' },
      repair: { type: 'boolean', about: 'correct what differs' },
    },
    run: (app, values, print) => {
      const from = dayOf(values, 'from')!;
      const to = dayOf(values, 'to') ?? from;
      if (to < from) throw new CommandError('--to must not be before --from');
      return verifyFigures(app, { from, to, tenant: text(values, 'tenant'), repair: values['repair'] === true, print });
    },
  },
  'logs verify': {
    about: 'check every sealed log file against its chain',
    options: {
      file: { type: 'string', about: 'only this file, a downloaded one perhaps, and the record that it is of' },
      offline: { type: 'boolean', about: 'without the database: not whether a chain has lost its end' },
    },
    run: async (app, values, print) => {
      const { settings, secrets } = app;
      return verify({ settings, sign: secrets.sign, heads: await registeredHeads(app) }, values, print);
    },
    offline: async (settings, values, print) => {
      const sign = offlineSign(settings);
      if (!sign) print('Signatures are not checked: there is no SECRET_KEY');
      return verify({ settings, sign }, values, print);
    },
  },
};
