import { spawn, spawnSync } from 'node:child_process';
import { appendFileSync, cpSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePorts } from './free-ports.mjs';
import { giveUp, root, run } from './run.mjs';

const base = path.join(root, '.cache/debian-base');
const chroot = path.join(root, '.cache/package-chroot');
const ports = await freePorts([
  'PORT',
  'CAPTIVE_PORT',
  'METRICS_PORT',
  'RADIUS_AUTH_PORT',
  'RADIUS_ACCT_PORT',
  'SYSLOG_PORT',
]);
const inChroot = (...command) => ['chroot', [chroot, ...command]];
/** Ends the product that runs in the chroot. */
let stopProduct = async () => undefined;

/**
 * Installs a package in a minimal Debian, or `older` and then the package, starts, upgrades, removes and purges it. Ends the
 * process on the first failure.
 */
export async function testPackage(file, older = file) {
  if (process.getuid() !== 0) giveUp('The test of the package needs root (chroot)');
  if (!existsSync(path.join(base, 'usr/bin/dpkg'))) await bootstrap();
  rmSync(chroot, { recursive: true, force: true });
  // Without a file system that is mounted in it.
  await must('copy the base system', 'cp', ['-a', '--one-file-system', base, chroot]);
  cpSync(file, path.join(chroot, 'portico.deb'));
  cpSync(older, path.join(chroot, 'older.deb'));
  // Removed after a failure, which ends the process, and after Ctrl-C, too.
  process.once('exit', cleanUp);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.once(signal, async () => {
      await stopProduct();
      process.exit(1);
    });
  await must('mount /proc', 'mount', ['-t', 'proc', 'proc', path.join(chroot, 'proc')]);
  await must('install', ...inChroot('dpkg', '-i', '/older.deb'));
  await startAndAsk('the first start');
  const settings = `LOG_LEVEL=warn\nMETRICS_PORT=${ports.METRICS_PORT}\n`;
  appendFileSync(path.join(chroot, 'etc/portico.env'), settings);
  await must('upgrade', ...inChroot('dpkg', '-i', '--force-confold', '/portico.deb'));
  await must('keep the settings', ...inChroot('grep', '-q', 'LOG_LEVEL=warn', '/etc/portico.env'));
  // The command line needs METRICS_PORT of the settings.
  await startAndAsk('the start after the upgrade', () => must('read the settings', ...inChroot('portico', 'health')));
  await must('keep compiled sources', ...inChroot('sh', '-c', 'test -n "$(ls /var/cache/portico)"'));
  await must('run the command line', ...inChroot('portico', '--help'));
  await must('remove', ...inChroot('dpkg', '-r', 'portico'));
  await must('keep the data', ...inChroot('test', '-d', '/var/lib/portico/postgres'));
  await must(
    'leave no program',
    ...inChroot('sh', '-c', '! test -e /opt/portico/server && ! test -e /usr/bin/portico'),
  );
  await must('purge', ...inChroot('dpkg', '-P', 'portico'));
  await must(
    'leave no settings',
    ...inChroot('sh', '-c', '! test -e /etc/portico.env && ! test -e /var/cache/portico'),
  );
  console.log('The package installs, starts, upgrades, is removed and purged cleanly');
}

/** Removes nothing while /proc is mounted in it. */
function cleanUp() {
  const proc = path.join(chroot, 'proc');
  if (existsSync(path.join(proc, 'self')) && spawnSync('umount', [proc]).status !== 0) return;
  rmSync(chroot, { recursive: true, force: true });
}

async function bootstrap() {
  mkdirSync(base, { recursive: true });
  const packages = '--include=adduser,ca-certificates,libstdc++6';
  await must('debootstrap', 'debootstrap', ['--variant=minbase', packages, 'bookworm', base]);
  // Some versions of debootstrap mount it twice and unmount it once.
  const proc = path.join(base, 'proc');
  while (existsSync(path.join(proc, 'self')) && spawnSync('umount', [proc]).status === 0);
}

async function startAndAsk(what, whileReady = async () => undefined) {
  const settings = {
    NODE_ENV: 'production',
    DATA_DIR: '/var/lib/portico',
    NODE_COMPILE_CACHE: '/var/cache/portico',
    HOST: '127.0.0.1',
    UDP_HOST: '127.0.0.1',
    ...ports,
  };
  const assignments = Object.entries(settings).map(([name, value]) => `${name}=${value}`);
  // The command of the unit, because older packages start another file.
  const start = "$(sed -n 's/^ExecStart=//p' /lib/systemd/system/portico.service)";
  const command = `cd /opt/portico && exec setpriv --reuid portico --regid portico --init-groups ${start}`;
  const child = spawn('chroot', [chroot, 'env', ...assignments, 'sh', '-c', command], { stdio: 'inherit' });
  const ended = new Promise(resolve => child.once('exit', resolve));
  stopProduct = async () => {
    child.kill('SIGTERM');
    await ended;
  };
  const answered = await answers(child);
  if (answered) await whileReady();
  child.kill('SIGTERM');
  const code = await ended;
  if (!answered) giveUp(`${what}: no answer from /readyz within 60 s`);
  if (code !== 0) giveUp(`${what}: SIGTERM ended it with ${code}`);
  console.log(`ok  ${what}`);
}

async function answers(child) {
  for (let tries = 0; tries < 120 && child.exitCode === null; tries++) {
    const ready = await fetch(`http://127.0.0.1:${ports.PORT}/readyz`).then(
      reply => reply.ok,
      () => false,
    );
    if (ready) return true;
    await sleep(500);
  }
  return false;
}

async function must(what, command, args) {
  if ((await run(command, args, { quiet: true })) !== 0) giveUp(`${what}: failed, see above`);
  console.log(`ok  ${what}`);
}
