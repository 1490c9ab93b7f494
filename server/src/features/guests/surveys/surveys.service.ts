import { type GuestSurveyForm, surveyTextMax } from '@portico/contract/guest-forms.ts';
import {
  countResponsesFrom,
  findGuestSurvey,
  lockAnswersOf,
  type NamedQuestion,
  saveResponse,
  wasAsked,
} from '#features/portals/public.ts';
import { newId } from '#lib/ids.ts';
import type { GuestAnswer } from '../guest-answer.ts';
import type { GuestServices } from '../guest-services.ts';
import { unpackState } from '../guest-state.ts';
import { type Frame, pageLink, problemView } from '../guest-views.ts';
import { findOnline } from '../online/online.queries.ts';
import { onlinePath } from '../online/online-link.ts';

// Per hour, for guests without a session: MACs can be made up, and a venue's guests share one public address.
const maxPerAddress = 300;

type Given = Record<string, string[] | string>;

/** The valid answers in a form, each once, with texts cut to their maximum; null without any. */
export function readAnswers(
  questions: readonly NamedQuestion[],
  form: Readonly<Record<string, unknown>>,
): Given | null {
  const given: Given = {};
  for (const { id, type, answers } of questions) {
    const typed = form[`q-${id}`];
    if (answers.length === 0) {
      // Guests see a text field, also in an older survey with faces and none to choose.
      const text = typeof typed === 'string' ? typed.trim().slice(0, surveyTextMax) : '';
      if (text) given[id] = text;
      continue;
    }
    const chosen = answers
      .filter(answer => (type === 'single' ? typed === answer.id : form[`q-${id}-${answer.id}`] !== undefined))
      .map(answer => answer.id);
    if (chosen.length) given[id] = chosen;
  }
  return Object.keys(given).length ? given : null;
}

/**
 * Stores a guest's answers, or that it skipped the survey, and sends it on. A repeated answer changes nothing. Responses
 * beyond the limit of an address are not stored, but these guests go on as well.
 */
export async function answerSurvey(
  services: GuestServices,
  frame: Frame,
  nas: string,
  form: GuestSurveyForm,
  address: string,
): Promise<GuestAnswer> {
  const { app } = services;
  const state = unpackState(app.secrets, 'survey', form.state);
  const context = state?.visit.nas === nas ? await services.findContext(nas, state.visit) : undefined;
  if (!state || !context) return { view: problemView(frame, { problem: 'page_expired' }), status: 400 };
  const { visit, survey: surveyId, moment, ticket } = state;
  const isOnline = moment === 'login_successful';
  const { portal, device_id: deviceId, location_id: locationId } = context;
  const isStored = await app.db.withTenant(context.tenantId, async tx => {
    const survey = portal && (await findGuestSurvey(tx, portal.id, surveyId));
    if (!survey) return true;
    // A guest does not get the state of another guest's session.
    const session = isOnline ? await findOnline(tx, deviceId, { mac: visit.mac, ticket, owner: 'proven' }) : undefined;
    const addressHash = session ? null : app.secrets.index(`survey ${address}`);
    if (addressHash && (await countResponsesFrom(tx, { surveyId: survey.id, addressHash })) >= maxPerAddress)
      return false;
    const visitorId = session?.visitor_id ?? null;
    if (visitorId) await lockAnswersOf(tx, { surveyId: survey.id, visitorId });
    // It may have answered on another device while this page was open.
    if (await wasAsked(tx, survey.id, { mac: visit.mac, visitorId, locationId })) return true;
    const response = {
      id: newId(),
      surveyId: survey.id,
      locationId,
      deviceId,
      mac: visit.mac,
      visitorId,
      sessionId: session?.id ?? null,
      language: frame.language,
      answers: form.skip ? null : readAnswers(survey.questions, form),
      addressHash,
    };
    await saveResponse(tx, response, survey.questions);
    return true;
  });
  if (isOnline) return { redirect: `${onlinePath(nas)}?lang=${frame.language}` };
  // Without a stored response the survey would be shown again.
  return { redirect: pageLink(`/w/${nas}`, visit, `${isStored ? '' : 'step=form&'}lang=${frame.language}`) };
}
