import { withChange } from '@portico/contract/change.ts';
import type { ReportMail, ReportMailChange, ReportMailForm } from '@portico/contract/report-mails.ts';
import type { Tx } from '#db/tenant.ts';
import { audit } from '#features/audit/public.ts';
import { requireConfirmedEmail } from '#features/auth/public.ts';
import { chooseLocation } from '#features/locations/public.ts';
import { type Actor, isLimited, may } from '#http/actor.ts';
import { AppError, found, foundAgain } from '#http/app-error.ts';
import { newId } from '#lib/ids.ts';
import * as queries from './report-mails.queries.ts';

const subjectOf = ({ id, name }: ReportMail) => ({ type: 'report-mail' as const, id, name });
const settingsOf = ({ frequency, reports, recipients, language, is_active, name, with_names }: ReportMail) => ({
  ...{ name, frequency, reports, recipients, language, is_active, with_names },
});

/** A report covers every device of its location, so members limited to some devices may not manage one. */
function requireAllDevices(actor: Actor): void {
  if (isLimited(actor)) throw new AppError('not_allowed');
}

export async function createReportMail(tx: Tx, actor: Actor, form: ReportMailForm): Promise<ReportMail> {
  requireAllDevices(actor);
  await requireConfirmedEmail(tx, actor);
  const { location_id, ...values } = form;
  const locationId = await chooseLocation(tx, actor, location_id);
  const id = newId();
  await queries.insertReportMail(tx, id, locationId, { ...values, with_names: may(actor, 'view-clients') });
  const made = found(await queries.findReportMail(tx, actor.reach, id));
  await audit(tx, actor, { verb: 'create', subject: subjectOf(made), locationId, after: settingsOf(made) });
  return made;
}

/** The report contains names only if the last user who changed it may see them. */
export async function updateReportMail(tx: Tx, actor: Actor, id: string, form: ReportMailChange): Promise<ReportMail> {
  requireAllDevices(actor);
  await requireConfirmedEmail(tx, actor);
  const before = found(await queries.findReportMail(tx, actor.reach, id, 'lock'));
  const { name, frequency, reports, recipients, language, is_active } = before;
  const stored = { name, frequency, reports, recipients, language, is_active };
  const values = withChange<Omit<ReportMailForm, 'location_id'>>(stored, form);
  await queries.updateReportMail(tx, id, { ...values, with_names: may(actor, 'view-clients') });
  const after = found(await queries.findReportMail(tx, actor.reach, id));
  const [was, is] = [settingsOf(before), settingsOf(after)];
  await audit(tx, actor, {
    verb: 'update',
    subject: subjectOf(after),
    locationId: after.location_id,
    before: was,
    after: is,
  });
  return after;
}

export async function deleteReportMail(tx: Tx, actor: Actor, id: string): Promise<void> {
  const it = found(await queries.findReportMail(tx, actor.reach, id));
  foundAgain(await queries.deleteReportMail(tx, id));
  await audit(tx, actor, {
    verb: 'delete',
    subject: subjectOf(it),
    locationId: it.location_id,
    before: settingsOf(it),
  });
}
