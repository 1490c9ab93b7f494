import type { TenantForm, TenantSettings } from '@portico/contract/tenants.ts';
import { knowsZone } from '#db/time-zones.ts';
import { audit } from '#features/audit/public.ts';
import { announce } from '#features/notifications/public.ts';
import { pictureUrls, saveImage } from '#features/portals/public.ts';
import type { Actor } from '#http/actor.ts';
import { invalid } from '#http/app-error.ts';
import type { Context, Upload } from '#http/call.ts';
import * as queries from './tenants.queries.ts';

function describe({ app, tenant }: Context, row: queries.TenantRow): TenantSettings {
  const { toUrl } = pictureUrls(app, tenant);
  return {
    id: row.id,
    slug: row.slug,
    brand_name: row.brand_name,
    brand_long_name: row.brand_long_name,
    primary_color: row.primary_color,
    landing_logo: row.landing_logo && toUrl(row.landing_logo),
    landing_background: row.landing_background,
    landing_background_image: row.landing_background_image && toUrl(row.landing_background_image),
    landing_bottom_image: row.landing_bottom_image && toUrl(row.landing_bottom_image),
    landing_title: row.landing_title,
    landing_slogan: row.landing_slogan,
    landing_copyright: row.landing_copyright,
    password_min: row.password_min,
    require_second_factor: row.require_second_factor,
    idle_minutes: row.idle_minutes,
    time_zone: row.time_zone,
    registration: row.registration,
    created_at: row.created_at,
    updated_at: row.updated_at,
  };
}

export const getSettings = async (context: Context): Promise<TenantSettings> =>
  describe(context, await context.inTenant(queries.getTenant));

type Change = { [K in keyof TenantForm]?: TenantForm[K] | undefined };

/** Pictures must be the tenant's own uploads. Another address would make the sign-in page load from elsewhere. */
function withPaths({ app, tenant }: Context, form: Change): Change {
  const { toPath } = pictureUrls(app, tenant);
  const paths: Change = {};
  for (const field of ['landing_logo', 'landing_background_image', 'landing_bottom_image'] as const) {
    const url = form[field];
    if (url === undefined) continue;
    const path = url ? toPath(url) : null;
    if (path === undefined) throw invalid({ [field]: 'upload_first' });
    paths[field] = path;
  }
  return { ...form, ...paths };
}

export async function updateSettings(context: Context, actor: Actor, form: Change): Promise<TenantSettings> {
  const values = withPaths(context, form);
  const after = await context.inTenant(async tx => {
    const before = await queries.lockTenant(tx);
    const zone = values.time_zone;
    if (zone && zone !== before.time_zone && !(await knowsZone(tx, zone))) throw invalid({ time_zone: 'time_zone' });
    await queries.updateTenant(tx, values);
    const after = await queries.getTenant(tx);
    await audit(tx, actor, {
      verb: 'update',
      subject: { type: 'tenant', id: after.id, name: after.brand_name },
      before,
      after,
    });
    await announce(tx, 'tenant', null);
    return after;
  });
  return describe(context, after);
}

export async function keepBrandImage(context: Context, actor: Actor, file: Upload) {
  const { url, width, height, bytes } = await saveImage(context, 'background', file);
  await context.inTenant(async tx => {
    const { brand_name: name } = await queries.getTenant(tx);
    await audit(tx, actor, { verb: 'create', subject: { type: 'picture', name }, after: { width, height, bytes } });
  });
  return { url, width, height };
}
