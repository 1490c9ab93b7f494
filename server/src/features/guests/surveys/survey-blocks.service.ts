import type { PortalLanguage } from '@portico/contract/portal-languages.ts';
import { findGuestSurvey, wasAsked } from '#features/portals/public.ts';
import type { ClientInfo } from '../client-info.ts';
import type { GuestAnswer } from '../guest-answer.ts';
import type { GuestContext } from '../guest-context.ts';
import type { GuestServices } from '../guest-services.ts';
import { type Frame, problemView } from '../guest-views.ts';
import { isDue } from '../is-due.ts';
import { findOnline, type OnlineRow } from '../online/online.queries.ts';
import { onlinePath } from '../online/online-link.ts';
import { type OpenVisit, sessionOf, visitOfBrowser } from '../online/visit-cookie.ts';
import { surveyPage, surveyPath } from './portal-rules.service.ts';

/** Surveys that the connected page offers as a block. */

export const surveyAddress = (nas: string, surveyId: string, language: PortalLanguage | '{lang}'): string =>
  `${surveyPath(nas)}/${surveyId}?lang=${language}`;

/** The surveys among the blocks that are shown now. */
const offered = ({ portal, place }: GuestContext): string[] =>
  (portal?.page?.connected_blocks ?? []).flatMap(it =>
    it.kind === 'survey' && isDue(it, place.timeZone) ? [it.survey_id] : [],
  );

/** The offered surveys with questions that this guest has neither answered nor skipped. */
export async function surveysToAnswer(
  { app }: GuestServices,
  context: GuestContext,
  { visit: { mac } }: OpenVisit,
  { visitor_id: visitorId }: OnlineRow,
): Promise<ReadonlySet<string>> {
  const { portal } = context;
  const surveys = new Set(offered(context));
  if (!portal || surveys.size === 0) return surveys;
  await app.db.withTenant(context.tenantId, async tx => {
    for (const id of surveys) {
      const survey = await findGuestSurvey(tx, portal.id, id);
      if (!survey?.questions.length || (await wasAsked(tx, id, { mac, visitorId, locationId: context.location_id })))
        surveys.delete(id);
    }
  });
  return surveys;
}

/** The page of a survey from a block. The cookie of the sign-in identifies the guest, who must be online. */
export async function surveyOfBlock(
  services: GuestServices,
  frame: Frame,
  { nas, survey }: { nas: string; survey: string },
  client: ClientInfo,
): Promise<GuestAnswer> {
  const { app } = services;
  const back = { redirect: `${onlinePath(nas)}?lang=${frame.language}` };
  const open = visitOfBrowser(app, nas, client);
  if (!open) return back;
  const context = await services.findContext(nas, open.visit);
  if (!context) return { view: problemView(frame, { problem: 'unknown_device' }), status: 404 };
  const { portal, tenantId, device_id } = context;
  const surveyId = offered(context).find(it => it === survey.toLowerCase());
  if (!portal || !surveyId) return back;
  const session = await app.db.withTenant(tenantId, tx => findOnline(tx, device_id, sessionOf(context, open)));
  if (!session) return back;
  const { visit, ticket } = open;
  const page = await surveyPage(
    services,
    frame,
    { context: { ...context, portal }, visit },
    {
      moment: 'login_successful',
      surveyId,
      visitorId: session.visitor_id,
      ticket,
      languageLink: surveyAddress(nas, surveyId, '{lang}'),
    },
  );
  return page ?? back;
}
