import { type GuestSurveyForm, surveyTextMax } from '@portico/contract/guest-forms.ts';
import { countResponsesFrom, findGuestSurvey, keepResponse, type NamedQuestion } from '#features/portals/public.ts';
import { newId } from '#lib/ids.ts';
import { type GuestAnswer, type Guests, onlinePath } from '../arrival/check-arrival.ts';
import { findOnline } from '../guest-context.queries.ts';
import { unpackState } from '../guest-state.ts';
import { type Frame, pageLink, problemView } from '../guest-views.ts';

// An hour, of guests whom no router vouches for: devices can be made up, and a venue's guests share one public address.
const mostPerAddress = 300;

type Given = Record<string, string[] | string>;

/** What of a form answers the questions: the answers there are, each once; a text cut to its most. Nothing: null. */
export function readAnswers(
  questions: readonly NamedQuestion[],
  form: Readonly<Record<string, unknown>>,
): Given | null {
  const given: Given = {};
  for (const { id, type, answer_type, answers } of questions) {
    const typed = form[`q-${id}`];
    if (answers.length === 0) {
      const text = typeof typed === 'string' && answer_type === 'text' ? typed.trim().slice(0, surveyTextMax) : '';
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
 * A guest answers a survey or skips it, and goes on to where it was. Answering again changes nothing, and what comes from one
 * address beyond the limit is not kept: nobody is held up by it.
 */
export async function answerSurvey(
  guests: Guests,
  frame: Frame,
  nas: string,
  form: GuestSurveyForm,
  address: string,
): Promise<GuestAnswer> {
  const { app } = guests;
  const state = unpackState(app.secrets, 'survey', form.state);
  const door = state?.nas === nas ? await guests.findDoor(nas, state) : undefined;
  if (!state || !door) return { view: problemView(frame, { problem: 'page_expired' }), status: 400 };
  const { so: { survey: surveyId = '', moment, ...known } = {}, ...arrival } = state;
  const isOnline = moment === 'login_successful';
  const { portal, device_id: deviceId, location_id: locationId } = door;
  const isKept = await app.db.withTenant(door.tenantId, async tx => {
    const survey = portal && (await findGuestSurvey(tx, portal.id, surveyId));
    if (!survey) return true;
    const session = isOnline ? await findOnline(tx, deviceId, state.mac, known['ticket']) : undefined;
    const addressHash = session ? null : app.secrets.index(`survey ${address}`);
    if (addressHash && (await countResponsesFrom(tx, { surveyId: survey.id, addressHash })) >= mostPerAddress)
      return false;
    await keepResponse(tx, {
      id: newId(),
      surveyId: survey.id,
      locationId,
      deviceId,
      mac: state.mac,
      visitorId: session?.visitor_id ?? null,
      sessionId: session?.id ?? null,
      language: frame.language,
      answers: form.skip ? null : readAnswers(survey.questions, form),
      addressHash,
    });
    return true;
  });
  if (isOnline) return { redirect: onlinePath(app, { ...arrival, so: known }) };
  // What was not kept would be asked again.
  return { redirect: pageLink(`/w/${nas}`, arrival, `${isKept ? '' : 'step=form&'}lang=${frame.language}`) };
}
