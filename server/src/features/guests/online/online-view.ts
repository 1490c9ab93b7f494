import type { OnlineView } from '@portico/contract/guests.ts';
import { goOnAddress } from '../arrival/addresses.ts';
import { endsSoon } from '../extend/ends-soon.ts';
import { type GuestAnswer, statusOf } from '../guest-answer.ts';
import type { GuestContext } from '../guest-context.ts';
import { common, type Frame, pageLink, placeView, problemView } from '../guest-views.ts';
import type { OnlineRow } from './online.queries.ts';
import { onlinePath } from './online-link.ts';
import type { OpenVisit } from './visit-cookie.ts';

/** The page before the router has reported a session. */
export const onlineView = (
  frame: Frame,
  context: GuestContext,
  { visit, visitor }: Pick<OpenVisit, 'visit' | 'visitor'>,
): OnlineView => ({
  page: 'online',
  ad: null,
  blocks: [],
  ...common(frame),
  ...placeView(context),
  languageLink: `${onlinePath(visit.nas)}?lang={lang}`,
  online: false,
  startedAt: null,
  secondsUsed: 0,
  secondsLeft: null,
  bytesUsed: 0,
  bytesLeft: null,
  goOn: goOnAddress(visit.orig),
  logOut: null,
  buy: context.sells ? pageLink(`/w/${visit.nas}/buy`, visit, `lang=${frame.language}`) : null,
  ownData: visitor ? `/w/${visit.nas}/my-data?lang=${frame.language}` : null,
  refresh: `${onlinePath(visit.nas)}?lang=${frame.language}`,
  watch: null,
  confirm: null,
  endsSoon: false,
  extend: null,
});

/**
 * The address that tells whether the session goes on. It has the session, and what the page shows already, so that the page is
 * loaded again once it needs other parts.
 */
export const watchPath = (nas: string, language: string, session: OnlineRow): string =>
  `${onlinePath(nas)}/state?lang=${language}&has=${partsOf(session)}&of=${session.id}`;

/** Whether time and data are limited, and whether the access is nearly over. */
export const partsOf = (session: OnlineRow): string =>
  `${session.seconds_left === null ? '' : 't'}${session.bytes_left === null ? '' : 'd'}${endsSoon(session) ? 's' : ''}`;

/** The operator has paused a visitor whose session the router has not ended yet. Another voucher would not help. */
export function pausedPage(frame: Frame, nas: string, context: GuestContext): GuestAnswer {
  const problem = 'paused';
  const languageLink = `${onlinePath(nas)}?lang={lang}`;
  return { view: problemView(frame, { problem, context, languageLink }), status: statusOf(problem) };
}
