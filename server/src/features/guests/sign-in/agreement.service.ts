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
  from: string,
): Promise<GuestAnswer> {
  const visit = visitOf(nas, arrival);
  const context = await services.findContext(nas, visit);
  const texts = context?.portal?.agreements[kind] ?? {};
  const html = inLanguage(texts, frame.language);
  if (!context?.portal || !html) return { view: problemView(frame, { problem: 'not_found', context }), status: 404 };
  const ownData = from === 'my-data';
  const view: AgreementView = {
    page: 'agreement',
    ...common(frame),
    languageLink: pageLink(`/w/${nas}/agreement/${kind}`, visit, `${ownData ? 'from=my-data&' : ''}lang={lang}`),
    ...placeView(context),
    kind,
    html,
    back: ownData
      ? `/w/${nas}/my-data?lang=${frame.language}`
      : pageLink(`/w/${nas}`, visit, `step=form&lang=${frame.language}`),
  };
  return { view, status: 200 };
}
