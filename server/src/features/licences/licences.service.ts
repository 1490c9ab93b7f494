import type { Tx } from '#db/tenant.ts';
import { audit } from '#features/audit/public.ts';
import { tellLicence } from '#features/integrations/public.ts';
import { notify, toMail } from '#features/notifications/public.ts';
import type { Actor } from '#http/actor.ts';
import type { Context } from '#http/call.ts';
import type { App } from '#lib/app.ts';
import { panelLink } from '#mail/links.ts';
import { queueMail } from '#mail/outbox.ts';
import * as queries from './licences.queries.ts';

/** Notifies the tenant's administrators and the location's reseller of a request; once a day and term. */
export async function requestLicence(
  { app, tenant, inTenant }: Context,
  actor: Actor,
  it: { locationId: string; years: number },
): Promise<void> {
  await inTenant(async tx => {
    const { name: location, reseller_id, today } = await queries.getCustomer(tx, it.locationId);
    const { name, email } = await queries.getRequester(tx, actor.userId);
    const admins = (await queries.listAdmins(tx)).map(user => user.id);
    const notified = await notify(tx, {
      kind: 'license_requested',
      to: { users: reseller_id ? [...admins, reseller_id] : admins },
      data: { location, user: name || email, years: it.years },
      locationId: it.locationId,
      once: `license_request:${it.locationId}:${today}:${it.years}`,
    });
    if (!notified.length) return;
    const link = panelLink(app.settings, tenant.slug, '/admin');
    for (const { email: to, language } of await queries.getReceivers(tx, toMail(notified))) {
      const data = { location, name: name || email, email, years: it.years, link };
      await queueMail(tx, app, { to, language, template: 'license_request', data });
    }
    await queries.tellRequest(tx, { location_id: it.locationId, name: location, years: it.years });
    await audit(tx, actor, {
      verb: 'create',
      subject: { type: 'license-request', name: location },
      locationId: it.locationId,
      after: { years: it.years },
    });
  });
}

// A trial has no mark at 30 days, because it is shorter.
const marks = { licence: [1, 7, 30], trial: [1, 7] };

/** Notifies the managers of a location that its licence ends soon or is over, once per mark. */
export async function notifyOfEnding(tx: Tx, app: App, it: queries.Ending): Promise<void> {
  const mark = it.days <= 0 ? 0 : marks[it.is_trial ? 'trial' : 'licence'].find(days => it.days <= days);
  if (mark === undefined) return;
  const data = { location: it.name, days: it.days };
  const about = {
    kind: mark === 0 ? ('license_over' as const) : ('license_ending' as const),
    data: mark === 0 ? { location: it.name } : data,
    locationId: it.id,
    once: `license:${it.id}:${it.ends_at}:${mark}`,
  };
  const managers = await notify(tx, { ...about, to: { location: it.id } });
  const admins = await notify(tx, { ...about, to: { tenant: 'admins' } });
  await tellLicence(
    tx,
    { locationId: it.id, event: mark === 0 ? 'licence.expired' : 'licence.expiring', mark: `${it.ends_at}:${mark}` },
    { name: it.name, ends_at: it.ends_at, days: Math.max(0, it.days), is_trial: it.is_trial },
  );
  const link = panelLink(app.settings, it.slug, '/onboarding/subscribe');
  for (const { email: to, language } of await queries.getReceivers(tx, toMail([...managers, ...admins])))
    await queueMail(tx, app, { to, language, template: 'license_ending', data: { ...data, link } });
}
