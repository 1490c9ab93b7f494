import { setSourceMapsSupport } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { startEmbedded } from '#db/embedded.ts';
import { explain } from './explain.ts';
import type { Service } from './services/service.ts';
import { readSettings, type Settings, settingsHelp } from './settings.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

// In the build: the stack of an error names lines of the sources. Packages would cost memory, so their maps are left out.
setSourceMapsSupport(true);

async function run(settings: Settings): Promise<void> {
  const started: Service[] = [];
  let stopping: Promise<void> | undefined;
  const stop = () =>
    (stopping ??= (async () => {
      for (const service of started.reverse()) await service.stop();
    })());
  let asked = false;
  const end = () => {
    if (asked) return;
    asked = true;
    void stop().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, end);
  // scripts/start.mjs holds the other end of this channel, which closes when that process is killed.
  process.once('disconnect', end);

  try {
    // The modules load while the database starts.
    const [url, { openApp }, { firstStart }, { startServices }] = await Promise.all([
      settings.DATABASE_URL ?? embedded(settings, started),
      import('./services/open-app.ts'),
      import('./services/first-start.ts'),
      import('./services/start.ts'),
    ]);
    const app = await openApp(settings, url);
    started.push(app);
    const { made, tenantId } = await firstStart(app);
    const closed =
      settings.NODE_ENV === 'production' && (await (await import('./services/demo/account.ts')).closeDemoAccount(app));
    if (closed)
      app.log.warn('the demo account had its public password: it has an unknown one now, and its sign-ins are ended');
    started.push(
      await startServices(app, {
        panel: path.join(root, 'panel/dist'),
        captive: path.join(root, 'captive/dist'),
        manual: path.join(root, 'docs/manual/dist'),
      }),
    );
    const demo = settings.DEMO
      ? await (await import('./services/demo/demo.ts')).startDemo(app, { tenantId, root })
      : undefined;
    if (demo) started.push(demo);
    if (!asked)
      announce(settings, [
        ...(made ? [`Sign in        ${made.email} / ${made.password} (shown once)`] : []),
        ...(demo?.lines ?? []),
      ]);
  } catch (error) {
    await stop();
    throw error;
  }
}

async function embedded(settings: Settings, started: Service[]): Promise<string> {
  const postgres = await startEmbedded(path.join(settings.DATA_DIR, 'postgres'), {
    onCrash: message => process.stderr.write(`${message}\n`),
  });
  started.push(postgres);
  return postgres.url;
}

function announce(settings: Settings, more: string[]): void {
  const runs = (name: Settings['SERVICES'][number]) => settings.SERVICES.includes(name);
  const lines = [
    runs('api') && `Panel          ${settings.PUBLIC_URL}`,
    runs('captive') && `Guest portal   ${settings.CAPTIVE_URL}`,
    runs('radius') &&
      `RADIUS         UDP ${settings.RADIUS_AUTH_PORT} (sign-in), ${settings.RADIUS_ACCT_PORT} (accounting)`,
    runs('radius') && settings.RADSEC_PORT > 0 && `RadSec         TCP ${settings.RADSEC_PORT} (RADIUS over TLS)`,
    runs('syslog') &&
      `Syslog         UDP and TCP ${settings.SYSLOG_PORT}${settings.SYSLOG_TLS_PORT ? `, TLS ${settings.SYSLOG_TLS_PORT}` : ''}`,
    runs('syslog') && settings.NETFLOW_PORT !== undefined && `NetFlow        UDP ${settings.NETFLOW_PORT}`,
    !settings.SMTP_URL && `Mails          kept in ${path.join(settings.DATA_DIR, 'outbox')} (no SMTP_URL)`,
    ...more,
  ];
  process.stdout.write(`${lines.filter(Boolean).join('\n')}\n`);
}

try {
  const settings = readSettings({ environment: process.env, args: process.argv.slice(2), folder: root });
  if (settings === 'help') process.stdout.write(`${settingsHelp()}\n`);
  else await run(settings);
} catch (error) {
  process.stderr.write(`${explain(error)}\n`);
  process.exit(1);
}
