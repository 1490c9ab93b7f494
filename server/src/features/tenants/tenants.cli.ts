import type { App } from '#lib/app.ts';
import { CommandError } from '#lib/command-error.ts';
import { findTenantBySlug, listTenants } from './tenants.queries.ts';

/** The id of the tenant that a command names. */
export async function tenantIdOf({ db }: App, slug: string): Promise<string> {
  const tenant = await db.withSystem(tx => findTenantBySlug(tx, slug));
  if (!tenant) throw new CommandError(`There is no tenant ${slug} (portico tenant list)`);
  return tenant.id;
}

/** A table of every tenant, as lines of text. */
export async function tenantTable({ db }: App): Promise<string[]> {
  const tenants = await db.withSystem(listTenants);
  const rows = [
    ['SLUG', 'NAME', 'LOCATIONS', 'USERS', 'SINCE'],
    ...tenants.map(t => [t.slug, t.brand_name, String(t.locations), String(t.users), t.created_at.slice(0, 10)]),
  ];
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map(row => row[column]!.length)));
  return rows.map(row =>
    row
      .map((cell, column) => cell.padEnd(widths[column]!))
      .join('  ')
      .trimEnd(),
  );
}
