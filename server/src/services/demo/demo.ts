import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { emailTaken, hashPassword, insertUser } from '#features/auth/public.ts';
import type { App } from '#lib/app.ts';
import { newId } from '#lib/ids.ts';
import { inUrl, ownAddress } from '#lib/own-address.ts';
import type { Service } from '../service.ts';
import { account } from './account.ts';
import { fillMenu } from './menu.ts';
import { DemoDisturbed, DemoRefused, type Panel, signIn } from './panel.ts';
import { makePast } from './past.ts';
import { makePastAnswers } from './past-answers.ts';
import { people } from './people.ts';
import { fillPortal } from './portals.ts';
import { onceEach, openProgress, type Progress } from './progress.ts';
import { type SampleLocation, sample } from './sample.ts';

/** Where the demo reaches the server. A socket at `::` takes IPv4 as well, and the simulator's routers send nothing else. */
const here = (listens: string): string => (listens === '::' ? '127.0.0.1' : ownAddress(listens));

/** Fills an empty tenant with sample data and starts the simulator. Development only. */
export async function startDemo(
  app: App,
  { tenantId, root }: { tenantId: string; root: string },
): Promise<Service & { lines: string[] }> {
  const { settings } = app;
  await ensureAccount(app, tenantId);
  const url = `http://${inUrl(here(settings.HOST))}:${settings.PORT}`;
  const panel = await signIn(url, account).catch((error: unknown) => {
    // People who try the product may change this account. The product starts all the same.
    if (error instanceof DemoRefused) return undefined;
    throw error;
  });
  const without = (why: string) => ({
    lines: [`Demo           off, because ${why} (DEMO=0 turns it off)`],
    stop: () => Promise.resolve(),
  });
  if (!panel) return without(`${account.email} can no longer sign in`);
  if (!(await isFilled(app, tenantId, panel)))
    return without('its sample data was changed while it was made. The next start goes on with it');
  // The simulator reads the active locations of this account; with a single one, all guests would be there.
  await panel.workAt('all');
  const who = ['--panel', url, '--tenant', 'panel', '--email', account.email];
  const udp = here(settings.UDP_HOST);
  const listeners = [
    '--radius',
    udp,
    '--syslog',
    `${udp}:${settings.SYSLOG_PORT}`,
    '--coa-port',
    `${settings.COA_PORT}`,
  ];
  const simulator = simulate(root, [...who, ...listeners], account.password);
  return {
    lines: [`Demo           ${account.email} / ${account.password}, with a simulated venue (DEMO=0 turns it off)`],
    stop: simulator.stop,
  };
}

async function ensureAccount(app: App, tenantId: string): Promise<void> {
  if (await app.db.withTenant(tenantId, tx => emailTaken(tx, account.email, null))) return;
  const passwordHash = await hashPassword(account.password);
  await app.db.withTenant(tenantId, tx =>
    insertUser(tx, {
      id: newId(),
      email: account.email,
      firstName: 'Deniz',
      lastName: 'Demo',
      phone: '+905300000000',
      passwordHash,
      role: 'tenant-admin',
      language: 'en',
    }),
  );
}

const maxFills = 3;

/** Fills the tenant. People may sign in meanwhile and choose another location, so a refused call is tried again at the right one. */
async function isFilled(app: App, tenantId: string, panel: Panel): Promise<boolean> {
  for (let fills = 0; fills < maxFills; fills++)
    try {
      await fill(app, tenantId, panel);
      return true;
    } catch (error) {
      if (!(error instanceof DemoDisturbed)) throw error;
      app.log.warn({ err: error }, 'the demo was disturbed');
    }
  return false;
}

type Made = { id: string };

async function fill(app: App, tenantId: string, panel: Panel): Promise<void> {
  const file = path.join(app.settings.DATA_DIR, 'demo-progress');
  if (!existsSync(file) && (await panel.get<Made[]>('panel/location?per_page=1')).length) return;
  const progress = openProgress(file);
  const brands = new Map(
    (await panel.get<{ id: string; slug: string }[]>('panel/device/brands')).map(brand => [brand.slug, brand.id]),
  );
  for (const it of sample) await fillLocation(app, { tenantId, brands, progress }, onceEach(panel, progress), it);
  progress.end();
}

async function fillLocation(
  app: App,
  { tenantId, brands, progress }: { tenantId: string; brands: Map<string, string>; progress: Progress },
  panel: Panel,
  it: SampleLocation,
): Promise<void> {
  const location_id = (await panel.post<Made>('panel/location', it.location)).id;
  // A portal made in an active team becomes that location's.
  await panel.workAt(location_id);
  const portal = await fillPortal(panel, it.portal);
  const profiles = new Map<string, string>();
  for (const profile of it.profiles) {
    const { id } = await panel.post<Made>('panel/location/user-profile', { ...profile, location_id });
    profiles.set(profile.name, id);
  }
  for (const { profile, ...batch } of it.vouchers)
    await panel.post('panel/voucher-batch', { ...batch, location_id, profile_id: profiles.get(profile) });
  if (app.settings.TEST_PAYMENTS && it.packages.length) {
    const account = { name: 'Deneme', location_id, integration_id: 'test-payment' };
    await panel.post('panel/integration', { ...account, params: { connection: { type: 'test-payment' } } });
    for (const { profile, ...terms } of it.packages)
      await panel.post('panel/package', { ...terms, location_id, profile_id: profiles.get(profile) });
  }
  await fillMenu(panel, it.menu);
  const devices: Made[] = [];
  for (const { brand, waiting: _, ...device } of it.devices)
    devices.push(await panel.post<Made>('panel/device', { ...device, brand_id: brands.get(brand), location_id }));
  const visitors: { username: string }[] = [];
  const made: (Made & { email: string | null })[] = [];
  for (const [index, name] of people.slice(0, it.visitors).entries()) {
    const username = name
      .toLocaleLowerCase('tr')
      .normalize('NFD')
      .replace(/ı/g, 'i')
      .replace(/[^a-z ]/g, '')
      .replace(/ +/g, '.');
    const email = it.asksEmail ? `${username}@example.com` : null;
    const { id } = await panel.post<Made>('panel/client', {
      location_id,
      name,
      email,
      provider_type: 'username',
      username,
      password: 'guest-demo',
      phone: `+90 530 555 ${String(1000 + index * 37).replace(/(..)$/, ' $1')}`,
      shared_user: 3,
    });
    visitors.push({ username });
    made.push({ id, email });
  }
  const visited = devices.filter((_, i) => !it.devices[i]?.waiting).map(device => ({ ...device, visitors }));
  await progress.step(() => makePast(app, tenantId, visited));
  const past = { ...portal, locationId: location_id, deviceId: devices[0]!.id, visitors: made };
  await progress.step(() => makePastAnswers(app, tenantId, past));
}

/** Runs the simulator as a separate process: it shares no code with the server, and the server must not wait for it. */
function simulate(root: string, args: string[], password: string): Service {
  const child = spawn(
    process.execPath,
    [
      path.join(root, 'simulator/src/cli.ts'),
      ...args,
      '--guests',
      '40',
      '--time-scale',
      '6',
      '--own-addresses',
      '--sign-in',
      'portal',
      '--quiet',
    ],
    {
      // The channel closes when this process is killed, and the simulator ends.
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      env: { PATH: process.env['PATH'], ADMIN_PASSWORD: password },
      // In its own process group, so that Ctrl-C reaches only this process, which then stops it.
      detached: true,
    },
  );
  const ended = new Promise<void>(resolve => child.once('exit', () => resolve()));
  child.once('error', error => process.stderr.write(`The demo's simulator did not start: ${error.message}\n`));
  process.once('exit', () => child.kill('SIGKILL'));
  return {
    stop: async () => {
      child.kill('SIGTERM');
      const late = setTimeout(() => child.kill('SIGKILL'), 4000);
      await ended;
      clearTimeout(late);
    },
  };
}
