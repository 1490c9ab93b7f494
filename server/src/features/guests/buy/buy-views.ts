import type { GuestProblem } from '@portico/contract/guest-problems.ts';
import type { BuyView, OrderView } from '@portico/contract/guests.ts';
import type { PortalLanguage } from '@portico/contract/portal-languages.ts';
import type { StoredPurchase } from '#features/packages/public.ts';
import type { GuestAnswer } from '../guest-answer.ts';
import type { GuestContext } from '../guest-context.ts';
import type { Visit } from '../guest-state.ts';
import { common, type Frame, pageLink, placeView } from '../guest-views.ts';

export const orderOf = (it: StoredPurchase): OrderView => ({
  name: it.package,
  days: it.days,
  price: it.unit_price,
  amount: it.amount,
  tax: it.tax,
  taxRate: it.tax_rate,
  currency: it.currency,
});

/** The link to the packages. */
export const buyLink = (visit: Visit, language: PortalLanguage, more = ''): string =>
  pageLink(`/w/${visit.nas}/buy`, visit, `lang=${language}${more}`);

interface Parts {
  readonly visit: Visit | null;
  readonly languageLink: string | null;
  readonly status?: number;
  readonly problem?: GuestProblem | null;
  readonly problemValues?: BuyView['problemValues'];
  /** Where the forms of the page may lead besides this origin: the router lets the guest in. */
  readonly formTarget?: string;
}

export function buyPage(frame: Frame, context: GuestContext, at: BuyView['at'], it: Parts): GuestAnswer {
  const view: BuyView = {
    page: 'buy',
    ...common(frame),
    ...placeView(context),
    languageLink: it.languageLink,
    problem: it.problem ?? null,
    problemValues: it.problemValues ?? {},
    form: it.visit && pageLink(`/w/${it.visit.nas}`, it.visit, `step=form&lang=${frame.language}`),
    at,
  };
  return { view, status: it.status ?? 200, ...(it.formTarget && { formTarget: it.formTarget }) };
}
