// Checks rules that the linter cannot express. Imports: those of each workspace, none from `db` or `lib` to the layers above,
// between features only through `public.ts`, no cycles. SQL: only in `*.queries.ts`, tables written by their owner only.
// Tenants: only some files may work across them. Each message names the alternative.
import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { importCycles } from './lib/import-cycles.mjs';
import { root } from './lib/run.mjs';

const test = /\.test\.tsx?$|\/test(ing)?\/|fixture\.ts$/;

/** Allowed imports besides a workspace's own files. Workspaces not listed may import all their dependencies. */
const allowed = {
  contract: /^zod$/,
  radius: /^node:/,
  simulator: /^node:|^@portico\/(contract|radius)\//,
};

/** Jobs serve every tenant, and the tenant of a packet is not known when it arrives. */
const crossTenantKinds = /\.(jobs|radius)\.ts$/;

/** The other files that work across tenants. */
const crossTenant = [
  'server/src/db/tenant.ts',
  'server/src/features/auth/',
  // All tenants share one clock.
  'server/src/features/clock/',
  'server/src/features/licences/licences.jobs.ts',
  'server/src/features/notifications/notifications.jobs.ts',
  // Finds the users of all tenants whose mails are due.
  'server/src/features/notifications/mails.service.ts',
  // The key is that of the installation.
  'server/src/features/notifications/push-keys.ts',
  // Finds the browsers of all tenants that have notices.
  'server/src/features/notifications/push-send.service.ts',
  // The token of a polling router determines its tenant.
  'server/src/features/devices/poll.service.ts',
  // The token in the URL of a script determines its tenant.
  'server/src/features/devices/script-link.service.ts',
  // The path that a gateway calls determines its tenant.
  'server/src/features/gateways/gateways.service.ts',
  'server/src/features/guests/guest-services.ts',
  'server/src/features/guests/arrival/shared-entry.service.ts',
  'server/src/features/guests/sign-in/authorize-guest.ts',
  // A tenant that left has no rows any more.
  'server/src/features/moves/',
  'server/src/features/qr-menu/menu.service.ts',
  'server/src/features/logs/logs.cli.ts',
  'server/src/features/logs/logs.jobs.ts',
  'server/src/features/tenants/',
  // Limits count networks, which have no tenant.
  'server/src/features/throttle/',
  // A stranger has no tenant. Its address ties it to one.
  'server/src/features/unknown-devices/',
  // Writes past sessions through the function that processes accounting.
  'server/src/features/sessions/past.ts',
  // Sends the pending commands of all tenants to their routers.
  'server/src/features/sessions/sessions.service.ts',
  // Maintains the sessions of devices without accounting, for all tenants.
  'server/src/features/sessions/controllers.ts',
  // A batch of accounting has sessions of all tenants.
  'server/src/features/sessions/notices.ts',
  'server/src/features/sessions/unreported.ts',
  'server/src/mail/',
  'server/src/services/',
];

/** Files that write tables of other features, and why. */
const sharedWrites = {
  // Erasing a person is one transaction over every table that names them: in one place it can be checked for completeness.
  'server/src/features/visitors/retention.queries.ts': [
    'consents',
    'email_confirmations',
    'failed_logins',
    'imported_sessions',
    'purchases',
    'remembered_guests',
    'session_archive_erasures',
    'session_history',
    'survey_responses',
  ],
};

const importLine =
  /(?:^|[\s;])(?:import|export)\s(?:[^'"`;]*?\sfrom\s)?\s*['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]/g;

const schemaFiles = 'server/src/db/schema/*.sql';

/** Who owns which table: the feature (or `mail`, `sms`) whose schema file, such as `sessions.sql` or `sessions.account.sql`, creates it. */
export function tableOwners(files) {
  return new Map(
    files.flatMap(({ file, text }) =>
      [...text.matchAll(/^create table (\w+)/gm)].map(match => [match[1], path.basename(file).split('.')[0]]),
    ),
  );
}

const read = file => readFileSync(path.join(root, file), 'utf8');
const found = pattern => globSync(pattern, { cwd: root }).map(file => file.split(path.sep).join('/'));
const owners = tableOwners(found(schemaFiles).map(file => ({ file, text: read(file) })));

/** The violations in one file, given its path in the checkout (with `/`) and its text. */
export function violations(file, text) {
  if (file.endsWith('.sql')) return writeRule(file, text.replaceAll(/--.*$/gm, ''));
  const code = text.replaceAll(/^\s*(\/\/|\*|\/\*).*$/gm, '');
  const imports = [...code.matchAll(importLine)].map(match => match[1] ?? match[2]);
  return [
    ...workspaceRule(file, imports),
    ...layerRule(file, imports),
    ...featureRule(file, imports),
    ...sqlRule(file, imports),
    ...writeRule(file, code),
    ...tenantRule(file, code),
    ...brandRule(file, code, imports),
  ];
}

function workspaceRule(file, imports) {
  const workspace = file.split('/')[0];
  const may = allowed[workspace];
  if (!may || test.test(file)) return [];
  return imports
    .filter(name => !name.startsWith('.') && !may.test(name))
    .map(
      name =>
        `${workspace}/ may not import ${name}: it stays free of everything but ${may.source.replaceAll(/[\^$\\]/g, '')}`,
    );
}

/** The folders below the others, which therefore cannot import from these. */
const lowest = /^server\/src\/(db|lib)\//;
const above = /^server\/src\/(features|http|mail|services|sms)\//;

function layerRule(file, imports) {
  const [, layer] = lowest.exec(file) ?? [];
  if (!layer || test.test(file)) return [];
  return imports
    .filter(name => above.test(targetOf(file, name)))
    .map(name => `${name}: ${layer}/ is below it; return or throw what the caller there needs`);
}

/** The path in the checkout of an imported file of the same workspace. */
const targetOf = (file, name) =>
  name.startsWith('.')
    ? path.posix.join(path.posix.dirname(file), name)
    : name.replace(/^#/, `${file.split('/')[0]}/src/`);

/** The workspace, name and file of an imported feature; undefined for other imports. */
function featureOf(file) {
  const [, side, feature, inside] = /^(server|panel)\/src\/features\/([^/]+)\/(.+)$/.exec(file) ?? [];
  return feature ? { side, feature, inside } : undefined;
}

function featureRule(file, imports) {
  const from = featureOf(file);
  if (!from || test.test(file)) return [];
  return imports.flatMap(name => {
    const to = featureOf(targetOf(file, name));
    if (!to || to.feature === from.feature || /^public\.tsx?$/.test(to.inside)) return [];
    return [`${name}: another feature is used through its public.ts only; export there what ${from.feature} needs`];
  });
}

const sqlPlaces = /^server\/src\/db\/|\.queries\.ts$/;

function sqlRule(file, imports) {
  if (!file.startsWith('server/') || sqlPlaces.test(file) || test.test(file)) return [];
  return imports
    .filter(name => ['sql-template-tag', 'pg', 'pg-copy-streams'].includes(name))
    .map(name => `${name}: SQL is written in *.queries.ts (or server/src/db); call a function of one`);
}

const writer = /^server\/src\/(?:features\/([^/]+)\/|(mail|sms)\/|db\/schema\/([^./]+))/;
const writing = /\b(?:insert into|update|delete from|truncate|merge into)\s+(?:only\s+)?(\w+)/gi;

function writeRule(file, code) {
  const [, ...names] = writer.exec(file) ?? [];
  const feature = names.find(name => name);
  if (!feature || test.test(file)) return [];
  const tables = new Set([...code.matchAll(writing)].map(match => match[1]));
  return [...tables]
    .filter(table => owners.has(table) && owners.get(table) !== feature && !sharedWrites[file]?.includes(table))
    .map(table => {
      const owner = owners.get(table);
      return `${table} belongs to ${owner}: write it through a function of ${owner}'s public.ts, or an SQL function in ${owner}.sql`;
    });
}

function tenantRule(file, code) {
  if (!/\b(withSystem|systemTrip)\s*[(<]/.test(code) || test.test(file)) return [];
  if (crossTenantKinds.test(file) || crossTenant.some(place => file.startsWith(place))) return [];
  return [
    'withSystem and systemTrip see every tenant: use withTenant, or add the file to crossTenant in scripts/boundaries.mjs with care',
  ];
}

/** Every brand of gateway has a folder with a driver. */
const brands = globSync('server/src/routers/*/driver.ts', { cwd: root }).map(file => path.basename(path.dirname(file)));
const brandPlaces = /^(server\/src\/(features|services)|captive\/src)\//;
/** Files that name brands as data which people see. */
const brandData = ['server/src/services/demo/sample.ts'];
const brandLiteral = new RegExp(`(['"\`])(${brands.join('|')})\\1`, 'g');
const brandImport = new RegExp(`(?:^#routers|/routers)/(?:${brands.join('|')})/`);

function brandRule(file, code, imports) {
  if (!brandPlaces.test(file) || brandData.includes(file) || test.test(file)) return [];
  const found = [
    ...[...code.matchAll(brandLiteral)].map(match => match[0]),
    ...imports.filter(it => brandImport.test(it)),
  ];
  return found.map(it => `${it}: what depends on a brand belongs in its HotspotDriver in server/src/routers`);
}

function check() {
  const files = found(
    `{{contract,radius,server,panel,captive,simulator,bench}/src/**/*.{ts,tsx},${schemaFiles}}`,
  ).sort();
  const texts = new Map(files.map(file => [file, read(file)]));
  const lines = [...texts].flatMap(([file, text]) => violations(file, text).map(message => `${file}: ${message}`));
  lines.push(
    ...importCycles(texts).map(
      cycle => `${cycle.join(', ')}: these import each other; move what they share to a file below them`,
    ),
  );
  const gone = [...crossTenant, ...brandData, ...Object.keys(sharedWrites)].filter(
    place => !existsSync(path.join(root, place)),
  );
  lines.push(...gone.map(place => `scripts/boundaries.mjs names ${place}, which does not exist`));
  for (const line of lines) console.error(line);
  console.log(`${files.length} files, ${lines.length} violations`);
  process.exitCode = lines.length > 0 ? 1 : 0;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) check();
