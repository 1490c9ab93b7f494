import type { z } from 'zod';
import * as advertisements from './advertisements.ts';
import * as audit from './audit.ts';
import * as auth from './auth.ts';
import * as customers from './customers.ts';
import * as deviceCertificates from './device-certificates.ts';
import * as deviceDoctor from './device-doctor.ts';
import * as deviceSetup from './device-setup.ts';
import * as devices from './devices.ts';
import * as errors from './errors.ts';
import * as fields from './fields.ts';
import * as identity from './identity.ts';
import * as importPreview from './import-preview.ts';
import * as imports from './imports.ts';
import * as integrationKinds from './integration-kinds.ts';
import * as integrations from './integrations.ts';
import * as licences from './licences.ts';
import * as locations from './locations.ts';
import * as logSources from './log-sources.ts';
import * as logs from './logs.ts';
import * as networks from './networks.ts';
import * as notifications from './notifications.ts';
import * as passkeyShapes from './passkey-shapes.ts';
import * as passkeys from './passkeys.ts';
import * as portalItems from './portal-items.ts';
import * as portalMessages from './portal-messages.ts';
import * as portalProviders from './portal-providers.ts';
import * as portalStyles from './portal-styles.ts';
import * as portals from './portals.ts';
import * as profiles from './profiles.ts';
import * as qrMenu from './qr-menu.ts';
import * as reportMails from './report-mails.ts';
import * as reports from './reports.ts';
import * as roles from './roles.ts';
import * as routerControl from './router-control.ts';
import * as rules from './rules.ts';
import * as sales from './sales.ts';
import * as search from './search.ts';
import * as sessions from './sessions.ts';
import * as statistics from './statistics.ts';
import * as surveys from './surveys.ts';
import * as team from './team.ts';
import * as tenants from './tenants.ts';
import * as tokens from './tokens.ts';
import * as visitorChanges from './visitor-changes.ts';
import * as visitorImport from './visitor-import.ts';
import * as visitorPage from './visitor-page.ts';
import * as visitors from './visitors.ts';

const modules = {
  advertisements,
  audit,
  auth,
  customers,
  deviceCertificates,
  deviceDoctor,
  deviceSetup,
  devices,
  errors,
  fields,
  identity,
  importPreview,
  imports,
  integrationKinds,
  integrations,
  licences,
  locations,
  logSources,
  logs,
  networks,
  notifications,
  passkeyShapes,
  passkeys,
  portalItems,
  portalMessages,
  portalProviders,
  portalStyles,
  portals,
  profiles,
  qrMenu,
  reportMails,
  reports,
  roles,
  routerControl,
  rules,
  sales,
  search,
  sessions,
  statistics,
  surveys,
  team,
  tenants,
  tokens,
  visitorChanges,
  visitorImport,
  visitorPage,
  visitors,
};

/** Kinds of schemas that are worth a name of their own. Texts, numbers and lists are described where they are used. */
const named = new Set(['object', 'union', 'intersection', 'record']);
/** Limits are objects behind a conversion. */
const limits = new Set(['SpeedLimit', 'DurationLimit', 'HoursLimit', 'DataLimit', 'Price']);

const isSchema = (value: unknown): value is z.ZodType => typeof value === 'object' && value !== null && '_zod' in value;

const capital = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

/**
 * Every exported schema with its name in the documentation: the name of the export with a capital. Where two files export the
 * same name, the file's name comes before it. Only the server imports this; the panel would load every schema at once.
 */
export function schemaNames(): Map<z.ZodType, string> {
  const found = Object.entries(modules).flatMap(([file, module]) =>
    Object.entries(module).flatMap(([key, value]) => {
      const name = capital(key);
      const worthy = isSchema(value) && (named.has(value.def.type) || limits.has(name));
      return worthy ? [{ file: capital(file), name, schema: value as z.ZodType }] : [];
    }),
  );
  const twice = new Set(found.map(it => it.name).filter((name, at, all) => all.indexOf(name) !== at));
  return new Map(found.map(({ file, name, schema }) => [schema, twice.has(name) ? `${file}${name}` : name]));
}
