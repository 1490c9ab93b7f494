import type { GuestProblem } from '@portico/contract/guest-problems.ts';
import { countSurvey, findGuestSurvey, wasAsked } from '#features/portals/public.ts';
import { formTargets } from '../arrival/addresses.ts';
import { type GuestAnswer, type Guests, onlinePath, type Standing } from '../arrival/check-arrival.ts';
import type { OnlineRow, PortalRow } from '../guest-context.queries.ts';
import type { Door } from '../guest-context.ts';
import { type GuestState, packState } from '../guest-state.ts';
import { type Frame, pageLink, surveyView } from '../guest-views.ts';
import { leadAway } from './redirects.queries.ts';

/** The portal's rules: where a guest is led before it signs in, after it did, and when that failed. */

type Moment = PortalRow['rules'][number]['state'];

/** The first rule for this moment and language, in the order of the list; the others do not count, whatever it comes to. */
export const ruleFor = (portal: PortalRow, moment: Moment, { language }: Frame) =>
  portal.rules.find(rule => rule.state === moment && (!rule.language || rule.language === language));

interface Asked {
  readonly moment: Moment;
  readonly surveyId: string;
  readonly visitorId: string | null;
  readonly problem?: GuestProblem;
  readonly values?: Readonly<Record<string, string | number>>;
}

/** The page of a survey that this guest was not asked yet. */
async function survey(
  { app }: Guests,
  frame: Frame,
  at: Pick<Standing, 'door' | 'state'> & { readonly login?: URL },
  it: Asked,
): Promise<GuestAnswer | undefined> {
  const { door, state } = at;
  const { mac } = state;
  const shown = { locationId: door.location_id, deviceId: door.device_id };
  const found = await app.db.withTenant(door.tenantId, async tx => {
    if (await wasAsked(tx, it.surveyId, { mac, visitorId: it.visitorId })) return undefined;
    const row = await findGuestSurvey(tx, door.portal.id, it.surveyId);
    if (!row?.questions.length) return undefined;
    await countSurvey(tx, row.id, shown, 'shown');
    return row;
  });
  if (!found) return undefined;
  const { so, ...arrival } = state;
  // What is known of who is online already leads back to their page, whole.
  const known = it.moment === 'login_successful' ? so : {};
  const packed = packState(app.secrets, 'survey', {
    ...arrival,
    so: { ...known, survey: found.id, moment: it.moment },
  });
  // Asked again in another language it is the same question; why a sign-in failed would be forgotten.
  const languageLink = {
    before_login: pageLink(`/w/${arrival.nas}`, arrival),
    login_successful: `${onlinePath(app, state)}&new=1&lang={lang}`,
    login_failed: null,
  }[it.moment];
  const view = surveyView(frame, door, {
    nas: arrival.nas,
    languageLink,
    state: packed,
    questions: found.questions,
    problem: it.problem ?? null,
    values: it.values ?? {},
  });
  return { view, status: it.problem ? 422 : 200, ...(at.login && { formTarget: formTargets(at.login, door.portal) }) };
}

/** The address as a header can say it: operators type letters such as ğ, in names of hosts as well. */
const leadTo = (url: string): GuestAnswer => ({ redirect: URL.parse(url)?.href ?? url });

/** A survey, or an address that the guest is led to once a visit: it could never sign in otherwise. */
export async function beforeSignIn(guests: Guests, frame: Frame, at: Standing): Promise<GuestAnswer | undefined> {
  const rule = ruleFor(at.door.portal, 'before_login', frame);
  if (rule?.url) {
    const it = { ruleId: rule.id, deviceId: at.door.device_id, mac: at.state.mac };
    const isFirst = await guests.app.db.withTenant(at.door.tenantId, tx => leadAway(tx, it));
    if (isFirst) return leadTo(rule.url);
  }
  if (!rule?.survey_id) return undefined;
  return survey(guests, frame, at, { moment: 'before_login', surveyId: rule.survey_id, visitorId: null });
}

/** What an operator has a guest do whose attempt failed. */
export async function afterFailure(
  guests: Guests,
  frame: Frame,
  at: Standing,
  why: { problem: GuestProblem; values?: Asked['values'] },
): Promise<GuestAnswer | undefined> {
  const rule = ruleFor(at.door.portal, 'login_failed', frame);
  if (rule?.url) return leadTo(rule.url);
  if (!rule?.survey_id) return undefined;
  const { problem, values = {} } = why;
  const asked = { moment: 'login_failed', surveyId: rule.survey_id, visitorId: null, problem, values } as const;
  return survey(guests, frame, at, asked);
}

/** The same for a guest who has just come online. */
export async function afterSignIn(
  guests: Guests,
  frame: Frame,
  { door, state }: { door: Door; state: GuestState },
  session: OnlineRow,
): Promise<GuestAnswer | undefined> {
  const { portal } = door;
  const rule = portal && ruleFor(portal, 'login_successful', frame);
  if (!rule) return undefined;
  if (rule.url) return leadTo(rule.url);
  const at = { door: { ...door, portal }, state };
  const asked = { moment: 'login_successful', surveyId: rule.survey_id!, visitorId: session.visitor_id } as const;
  return survey(guests, frame, at, asked);
}
