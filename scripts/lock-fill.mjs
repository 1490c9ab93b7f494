// Completes package-lock.json after `npm install --package-lock-only` (both run by `npm run lock`). Packages with native code
// list one optional package per platform. If a registry lacks those of other platforms, npm leaves them out of the lock file.
// Then `npm ci` of npm 11 refuses the file as inconsistent with package.json. `npm ci` needs only the name, version and
// platform of such an entry; it does not fetch packages of other platforms.
import { readFileSync, writeFileSync } from 'node:fs';

const systems = /(darwin|win32|windows|freebsd|openbsd|netbsd|android|linux|sunos|aix|openharmony)/;
const processors = /(arm64|x64|ia32|arm|ppc64|s390x|riscv64|loong64|mips64el|wasm32)/;

const file = process.argv[2] ?? 'package-lock.json';
const lock = JSON.parse(readFileSync(file, 'utf8'));
let added = 0;

for (const [place, entry] of Object.entries(lock.packages)) {
  for (const [name, range] of Object.entries(entry.optionalDependencies ?? {})) {
    if (isLocked(place, name)) continue;
    lock.packages[`node_modules/${name}`] = describe(name, range, entry.dev === true);
    added += 1;
  }
}

lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1)));
writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
console.log(`${file}: ${added} entries for other platforms added`);

/** Resolves a package like Node: next to the importing package, then in each parent folder. */
function isLocked(place, name) {
  for (let at = place; ; at = at.includes('/node_modules/') ? at.slice(0, at.lastIndexOf('/node_modules/')) : '') {
    if (lock.packages[`${at ? `${at}/` : ''}node_modules/${name}`]) return true;
    if (!at) return false;
  }
}

/** Reads the platform from a package's name; a package without one matches no platform and is not fetched. */
function describe(name, range, dev) {
  const os = systems.exec(name)?.[1]?.replace('windows', 'win32') ?? 'never';
  const cpu = processors.exec(name)?.[1] ?? 'never';
  return {
    version: range.replace(/^[\^~]/, ''),
    cpu: [cpu],
    ...(dev ? { dev: true } : {}),
    optional: true,
    os: [os],
    ...(name.includes('musl') ? { libc: ['musl'] } : {}),
  };
}
