import type { GuestArrival } from '@portico/contract/guest-forms.ts';
import type { AgreementView } from '@portico/contract/guests.ts';
import { visitOf } from '../arrival/read-arrival.ts';
import type { GuestAnswer } from '../guest-answer.ts';
import type { GuestServices } from '../guest-services.ts';
import { common, type Frame, inLanguage, pageLink, placeView, problemView } from '../guest-views.ts';
import { isMethod } from './sign-in-page.ts';

/** The page of one of the portal's agreements, in the guest's language or else in the first that has a text. */
export async function agreement(
  services: GuestServices,
  frame: Frame,
  nas: string,
  kind: 'kvkk' | 'general',
  arrival: GuestArrival,
  query: unknown,
): Promise<GuestAnswer> {
  const visit = visitOf(nas, arrival);
  const context = await services.findContext(nas, visit);
  const texts = context?.portal?.agreements[kind] ?? {};
  const html = inLanguage(texts, frame.language, context?.portal);
  if (!context?.portal || !html) return { view: problemView(frame, { problem: 'not_found', context }), status: 404 };
  const { from, package: chosen, days } = query as { from?: unknown; package?: unknown; days?: unknown };
  const ownData = from === 'my-data';
  // The summary of a purchase, which checks both.
  const purchase =
    typeof chosen === 'string' && typeof days === 'string' && /^[\da-f-]{36}$/.test(chosen) && /^\d{1,4}$/.test(days)
      ? `package=${chosen}&days=${days}&`
      : '';
  // Of a browser without cookies, see openMethod.
  const open = isMethod(arrival.method) ? `method=${arrival.method}&` : '';
  const view: AgreementView = {
    page: 'agreement',
    ...common(frame),
    languageLink: pageLink(
      `/w/${nas}/agreement/${kind}`,
      visit,
      `${ownData ? 'from=my-data&' : purchase || open}lang={lang}`,
    ),
    ...placeView(context),
    kind,
    html,
    back: ownData
      ? `/w/${nas}/my-data?lang=${frame.language}`
      : purchase
        ? pageLink(`/w/${nas}/buy`, visit, `${purchase}lang=${frame.language}`)
        : pageLink(`/w/${nas}`, visit, `${open}step=form&lang=${frame.language}`),
  };
  return { view, status: 200 };
}
