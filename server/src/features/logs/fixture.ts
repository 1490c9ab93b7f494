import sql from 'sql-template-tag';
import { newId } from '#lib/ids.ts';
import type { TestApi } from '#test/harness.ts';

/** A device of a brand at a location of its own, as a test needs it. */
export async function makeDevice(
  api: TestApi,
  options: {
    nas: string;
    brand?: string;
    tenant?: string;
    zone?: string;
    logging?: boolean;
    address?: string;
    location?: string;
  },
) {
  const { nas, brand = 'mikrotik', tenant = 'panel', zone = 'Europe/Istanbul' } = options;
  const location = options.location ?? newId();
  const id = newId();
  await api.inTenant(async tx => {
    await tx.run(sql`
      insert into locations (id, name, time_zone, trial_end_at) values (${location}, ${nas}, ${zone}, now() + interval '15 days')
      on conflict do nothing`);
    await tx.run(sql`
      insert into devices (id, location_id, brand_id, name, mac_address, nas_identifier, secret, trial_end_at, logging_enabled, last_address)
      select ${id}, ${location}, b.id, ${nas}, ${nas}, ${nas}, 'x', now() + interval '15 days', ${options.logging ?? true}, ${options.address ?? null}::inet
      from brands b where b.slug = ${brand}`);
  }, tenant);
  return { id, nas, location, tenantId: await api.tenantId(tenant) };
}

/** Waits until something is so, for ten seconds at most. */
export async function until(isSo: () => Promise<boolean> | boolean, seconds = 10): Promise<void> {
  const end = Date.now() + seconds * 1000;
  while (!(await isSo())) {
    if (Date.now() > end) throw new Error('It did not come to be in time');
    await new Promise(resolve => setTimeout(resolve, 30));
  }
}
