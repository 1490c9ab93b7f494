import type { GuestProblem } from '@portico/contract/guest-problems.ts';
import type { BuyView, OfferView, OrderView } from '@portico/contract/guests.ts';
import type { PortalLanguage } from '@portico/contract/portal-languages.ts';
import { taxIn } from '@portico/contract/tax.ts';
import type { OfferedPackage, StoredPurchase } from '#features/packages/public.ts';
import type { GuestAnswer } from '../guest-answer.ts';
import type { GuestContext } from '../guest-context.ts';
import type { Visit } from '../guest-state.ts';
import { common, type Frame, inLanguage, pageLink, placeView } from '../guest-views.ts';

export const orderOf = (it: StoredPurchase): OrderView => ({
  name: it.package,
  days: it.days,
  price: it.unit_price,
  amount: it.amount,
  tax: it.tax,
  taxRate: it.tax_rate,
  currency: it.currency,
});

export const offerView = (it: OfferedPackage, language: PortalLanguage): OfferView => ({
  id: it.id,
  name: inLanguage(it.name, language),
  description: inLanguage(it.description, language),
  price: it.price,
  currency: it.currency,
  minDays: it.min_days,
  maxDays: it.max_days,
});

/** The purchase of a package at its price of now. */
export function orderFor(it: OfferedPackage, days: number, language: PortalLanguage): OrderView {
  const amount = it.price * days;
  return {
    name: inLanguage(it.name, language),
    days,
    price: it.price,
    amount,
    tax: taxIn(amount, it.tax_rate),
    taxRate: it.tax_rate,
    currency: it.currency,
  };
}

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
