import { inTurn } from '#db/lock.ts';
import { emailTaken, hashPassword, insertUser } from '#features/auth/public.ts';
import { createTenant, findTenantBySlug, hasAdministrator } from '#features/tenants/public.ts';
import type { App } from '#lib/app.ts';
import { newId, randomWord } from '#lib/ids.ts';

export interface FirstStart {
  readonly tenantId: string;
  /** The administrator that was created, with the password to print once. */
  readonly made?: { readonly email: string; readonly password: string };
}

type Parts = Pick<App, 'db' | 'settings'>;

/** Creates the tenant `panel` and an administrator in an empty database. Several processes may call it at once, at every start. */
export const firstStart = (app: Parts): Promise<FirstStart> =>
  inTurn(app.db.pool, 'portico.first-start', () => createFirstUser(app));

async function createFirstUser(app: Parts): Promise<FirstStart> {
  const { ADMIN_EMAIL, ADMIN_PASSWORD } = app.settings;
  const tenantId = await app.db.withSystem(async tx => {
    const panel = await findTenantBySlug(tx, 'panel');
    return panel?.id ?? createTenant(tx, 'panel', 'Portico');
  });
  const email = (ADMIN_EMAIL ?? 'admin@portico.local').toLowerCase();
  const wanted = await app.db.withTenant(tenantId, async tx =>
    ADMIN_EMAIL ? !(await emailTaken(tx, email, null)) : !(await hasAdministrator(tx)),
  );
  if (!wanted) return { tenantId };
  const password = ADMIN_PASSWORD ?? randomWord(12);
  const passwordHash = await hashPassword(password);
  await app.db.withTenant(tenantId, tx =>
    insertUser(tx, {
      id: newId(),
      email,
      firstName: 'Portico',
      lastName: 'Administrator',
      phone: '',
      passwordHash,
      role: 'tenant-admin',
      language: 'en',
    }),
  );
  return ADMIN_PASSWORD ? { tenantId } : { tenantId, made: { email, password } };
}
