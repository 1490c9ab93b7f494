// `npm run image`: builds deploy/Dockerfile with buildah and starts the image, unprivileged and on a read-only root.
// The base images are made by debootstrap, so that no image registry is needed (root, buildah, debootstrap, binutils).
// `npm run image -- --arch=arm64` does the same for another processor, which qemu-user-static and binfmt_misc then emulate.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, lstatSync, mkdirSync, realpathSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { freePorts } from './lib/free-ports.mjs';
import { findNode } from './lib/node.mjs';
import { giveUp, root, run } from './lib/run.mjs';

const architectures = { x64: 'amd64', arm64: 'arm64' };
const own = architectures[process.arch] ?? giveUp(`No image on ${process.arch}: use x64 or arm64`);
const { arch } = parseArgs({ options: { arch: { type: 'string', default: own } } }).values;
const tag = arch === own ? 'localhost/portico' : `localhost/portico:${arch}`;
/** In megabytes, as podman and docker show it. */
const largest = 350;
/** Seconds until a started image answers. qemu is about 20 times slower. */
const patience = arch === own ? 60 : 900;
const cache = path.join(root, '.cache/image');
const settings = {
  ...(await freePorts(['PORT', 'CAPTIVE_PORT', 'METRICS_PORT', 'RADIUS_AUTH_PORT', 'RADIUS_ACCT_PORT', 'SYSLOG_PORT'])),
  SECRET_KEY: 'only for the trial of the image, 32 characters',
};
const buildah = (...args) => ['buildah', ['--storage-driver', 'vfs', ...args]];
const read = (...args) => execFileSync(...buildah(...args), { encoding: 'utf8' }).trim();

if (process.getuid() !== 0) giveUp('The trial of the image needs root');
const slim = path.join(cache, arch === own ? 'slim' : `slim-${arch}`);
const withNode = path.join(cache, 'node');
if (!existsSync(path.join(slim, 'var/lib/dpkg/status'))) await makeSlimBase();
// The link to npm is made last.
if (!lstatSync(path.join(withNode, 'usr/local/bin/npm'), { throwIfNoEntry: false })) await makeNodeBase();
await tagBase(slim, 'docker.io/library/debian:bookworm-slim', arch);
const authorities = process.env.NODE_EXTRA_CA_CERTS;
await tagBase(withNode, 'docker.io/library/node:24-bookworm', own, authorities && `NODE_EXTRA_CA_CERTS=${authorities}`);
await must('build the image', ...buildah('bud', ...buildOptions(), '-t', tag, '-f', 'deploy/Dockerfile', '.'));

const container = read('from', '--pull-never', tag);
const files = read('mount', container);
const data = path.join(cache, 'data');
// A failure ends the process, so this is needed then too.
process.once('exit', () => {
  for (const step of ['umount', 'rm']) spawnSync(...buildah(step, container));
  rmSync(data, { recursive: true, force: true });
});
const bytes = execFileSync('du', ['-s', '--block-size=1', '--apparent-size', files], { encoding: 'utf8' }).split(
  '\t',
)[0];
const megabytes = Math.ceil(Number(bytes) / 1e6);
if (megabytes > largest) giveUp(`The image has ${megabytes} MB; ${largest} are allowed`);
console.log(`ok  ${megabytes} of ${largest} MB`);
await start();

/** Debian's smallest system without manuals, as in the official image. */
async function makeSlimBase() {
  const options = [`--arch=${arch}`, '--variant=minbase', '--include=libstdc++6', 'bookworm'];
  const folder = `${slim}.part`;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(cache, { recursive: true });
  await must('make the Debian base', 'debootstrap', [...options, folder]);
  for (const unneeded of ['var/cache/apt', 'var/lib/apt/lists', 'usr/share/man', 'usr/share/locale'])
    rmSync(path.join(folder, unneeded), { recursive: true, force: true });
  renameSync(folder, slim);
}

/** Debian with Node and binutils, for the processor of this machine, as in the official image. */
async function makeNodeBase() {
  rmSync(withNode, { recursive: true, force: true });
  const options = ['--variant=minbase', '--include=libstdc++6,binutils', 'bookworm'];
  await must('make the base of Node', 'debootstrap', [...options, withNode]);
  cpSync(findNode(), path.join(withNode, 'usr/local/bin/node'), { dereference: true });
  // Not `npm root -g`, which names another folder when Node comes from node_modules.
  const npm = realpathSync(execFileSync('sh', ['-c', 'command -v npm'], { encoding: 'utf8' }).trim());
  cpSync(path.resolve(npm, '../..'), path.join(withNode, 'usr/local/lib/node_modules/npm'), {
    recursive: true,
  });
  execFileSync('ln', ['-s', '../lib/node_modules/npm/bin/npm-cli.js', path.join(withNode, 'usr/local/bin/npm')]);
}

async function tagBase(folder, name, architecture, variable) {
  const from = read('from', 'scratch');
  // buildah finds an image of arm64 only with its variant.
  const variant = architecture === 'arm64' ? ['--variant', 'v8'] : [];
  await must(`set the architecture of ${name}`, ...buildah('config', '--arch', architecture, ...variant, from));
  if (variable) await must(`set a variable of ${name}`, ...buildah('config', '--env', variable, from));
  await must(`tag ${name}`, ...buildah('add', '--quiet', from, folder, '/'));
  await must(`keep ${name}`, ...buildah('commit', '--quiet', '--rm', from, name));
}

/** The build runs npm with this machine's registry settings and certificates. */
function buildOptions() {
  const options = ['--format', 'docker', '--isolation', 'chroot', '--pull-never', '--network', 'host'];
  // BuildKit sets the last two itself.
  options.push('--platform', `linux/${arch}`);
  options.push('--build-arg', `BUILDPLATFORM=linux/${own}`, '--build-arg', `TARGETPLATFORM=linux/${arch}`);
  const npmrc = path.join(process.env.HOME ?? '/root', '.npmrc');
  for (const file of ['/etc/ssl/certs', npmrc, '/etc/npmrc'])
    if (existsSync(file)) options.push('--volume', `${file}:${file}:ro`);
  return options;
}

/** As `docker run --read-only --tmpfs /tmp -v data:/data --user portico` would. */
async function start() {
  mkdirSync(data, { recursive: true });
  execFileSync('chown', ['1000:1000', data]);
  const script = [
    'set -e',
    'mount --bind "$FILES" "$FILES"',
    'mount -t proc proc "$FILES/proc"',
    'mount -t tmpfs tmpfs "$FILES/tmp"',
    'mount --bind /dev "$FILES/dev"',
    'mount --bind "$DATA" "$FILES/data"',
    'mount -o remount,bind,ro "$FILES"',
    'exec chroot --userspec=1000:1000 "$FILES" /usr/bin/env -i $SETTINGS sh -c "cd /app && exec node server/dist/main.js"',
  ].join('\n');
  const { OCIv1 } = JSON.parse(read('inspect', container));
  const values = [...OCIv1.config.Env, ...Object.entries(settings).map(([name, value]) => `${name}=${value}`)];
  const spaced = values.map(value => value.replaceAll(' ', '_')).join(' ');
  const env = { ...process.env, FILES: files, DATA: data, SETTINGS: spaced };
  const child = spawn('unshare', ['--mount', 'sh', '-c', script], { env, stdio: 'inherit' });
  const ended = new Promise(resolve => child.once('exit', resolve));
  const answered = await answers(child);
  child.kill('SIGTERM');
  const code = await ended;
  if (!answered) giveUp(`The image: no answer from /readyz within ${patience} s`);
  if (code !== 0) giveUp(`The image: SIGTERM ended it with ${code}`);
  console.log('ok  it starts on a read-only root as an unprivileged user, and SIGTERM ends it');
}

async function answers(child) {
  for (let tries = 0; tries < patience * 2 && child.exitCode === null; tries++) {
    const ready = await fetch(`http://127.0.0.1:${settings.PORT}/readyz`).then(
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
