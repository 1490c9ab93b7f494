import type { GuestArrival } from '@portico/contract/guest-forms.ts';
import type { AgreementView } from '@portico/contract/guests.ts';
import { visitOf } from '../arrival/read-arrival.ts';
import type { GuestAnswer } from '../guest-answer.ts';
import type { GuestServices } from '../guest-context.ts';
import { common, type Frame, inLanguage, pageLink, placeView, problemView } from '../guest-views.ts';

/** The page of one of the portal's agreements, in the guest's language or else in the first that has a text. */
export async function agreement(
  services: GuestServices,
  frame: Frame,
  nas: string,
  kind: 'kvkk' | 'general',
  arrival: GuestArrival,
): Promise<GuestAnswer> {
  const visit = visitOf(nas, arrival);
  const context = await services.findContext(nas, visit);
  const texts = context?.portal?.agreements[kind] ?? {};
  const html = inLanguage(texts, frame.language);
  if (!context?.portal || !html) return { view: problemView(frame, { problem: 'not_found', context }), status: 404 };
  const view: AgreementView = {
    page: 'agreement',
    ...common(frame),
    languageLink: pageLink(`/w/${nas}/agreement/${kind}`, visit),
    ...placeView(context),
    kind,
    html,
    back: pageLink(`/w/${nas}`, visit, `step=form&lang=${frame.language}`),
  };
  return { view, status: 200 };
}
