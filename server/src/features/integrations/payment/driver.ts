import type { GuestProblem } from '@portico/contract/guest-problems.ts';
import type { PaymentConnection } from '@portico/contract/integration-kinds.ts';
import type { ShippedLanguage } from '@portico/contract/portal-languages.ts';
import type { PurchaseState } from '@portico/contract/purchase-states.ts';
import type { Tx } from '#db/tenant.ts';
import type { App } from '#lib/app.ts';
import type { TestResult } from '../kinds/kind.ts';

/** The part of payments that differs between providers. Amounts are in minor units. */

export interface At<C = PaymentConnection> {
  readonly app: App;
  readonly tenantId: string;
  /** Null: the account of the tenant, which no location owns. */
  readonly locationId: string | null;
  readonly connection: C;
}

/** A payment that a provider is asked to collect. */
export interface Checkout {
  /** The purchase. It is the order number at the provider, so that one purchase has at most one checkout. */
  readonly id: string;
  readonly amount: number;
  /** ISO 4217, lower case. */
  readonly currency: string;
  readonly title: string;
  readonly email: string;
  readonly language: ShippedLanguage;
  readonly place: string;
  /** Where the provider sends the guest afterwards, with each outcome. */
  readonly returnUrl: string;
  /** The public address of the guest. */
  readonly address: string;
  /** The hotel guest whose room is charged; null at a payment provider. */
  readonly hotelGuest: string | null;
}

/** A purchase as the provider knows it. */
export interface Order {
  readonly id: string;
  readonly reference: string;
  readonly payment: string | null;
  readonly amount: number;
  readonly currency: string;
  /** How often a refund was asked for. The number tells a new request from the repetition of one. */
  readonly refunds: number;
  readonly created_at: string;
}

/** The provider's answer about a purchase. */
export interface Outcome {
  readonly state: 'open' | 'paid' | 'failed';
  /** The order number that the provider has for it. */
  readonly id: string;
  readonly amount: number;
  readonly currency: string;
  readonly payment: string | null;
  /** How much of it went back. */
  readonly refunded: number;
  /** The bank took the money back, or is about to. */
  readonly disputed: boolean;
  /** Why it failed, as the provider says it. */
  readonly answer?: string | undefined;
}

/**
 * In these states the provider may say that a payment is back. Asked twice at once, it refuses one request and pays back by the
 * other. If the refusal is here first, the payment looks as before.
 */
export const mayBeBack: ReadonlySet<PurchaseState> = new Set(['refunding', 'paid', 'refused']);

/** Where the guest pays: null if that is on no page, as for a hotel room. */
export interface MadeCheckout {
  readonly reference: string;
  readonly url: string | null;
}

/** A genuine notification: which purchase it is about. Its content is not believed; the provider is asked. */
export interface Hint {
  readonly id?: string;
  readonly reference?: string;
  readonly payment?: string;
}

export interface Notification {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The body as it was received, because signatures cover its bytes. */
  readonly body: string;
}

/** How purchases of a provider are followed up. It is known without an account. */
export interface PaymentTraits {
  /**
   * An order is known by the id of its purchase, and `create` asked again makes nothing more. So an order is found although
   * the answer to `create` was lost.
   */
  readonly isRepeatable: boolean;
  /** The provider has no page on which the guest pays, and its answer triggers the check of the purchase, so it is not polled. */
  readonly reportsItself: boolean;
  /** The message for the guest when nothing was paid. */
  readonly refusal: Extract<GuestProblem, 'pay_failed' | 'room_refused'>;
  /** Notes the sale of a purchase that was paid. */
  noteSale?(tx: Tx, purchaseId: string, saleId: string): Promise<unknown>;
}

/** A provider with a page of its own, which makes a new checkout each time. */
export const paidOnPage: PaymentTraits = { isRepeatable: false, reportsItself: false, refusal: 'pay_failed' };

export interface PaymentDriver<C> {
  readonly traits: PaymentTraits;
  /** The answer that the provider takes as received. */
  readonly received: string;
  /** Whether the account needs our address for notifications. */
  readonly hasHook: boolean;
  /** Makes the checkout. */
  create(at: At<C>, checkout: Checkout): Promise<MadeCheckout>;
  /** Asks what became of it. */
  confirm(at: At<C>, order: Order): Promise<Outcome>;
  /** Pays the whole amount back. Asked again, it pays nothing twice. */
  refund(at: At<C>, order: Order): Promise<'done' | 'waiting'>;
  /** Undefined: the notification is forged, stale or malformed. Null: it is genuine, and concerns no purchase. */
  webhook(at: At<C>, notification: Notification): Hint | null | undefined;
  /** Checks the account without a payment. */
  test(at: At<C>): Promise<TestResult[]>;
}

/** Tests put their stand-ins here. */
export const paymentBases = {
  stripe: 'https://api.stripe.com',
  iyzico: 'https://api.iyzipay.com',
  'iyzico-sandbox': 'https://sandbox-api.iyzipay.com',
  paytr: 'https://www.paytr.com',
};

/** `1050` as `10.50`. */
export const decimalOf = (minor: number): string =>
  `${Math.floor(minor / 100)}.${String(minor % 100).padStart(2, '0')}`;

/** `10.5` or `10.50` in minor units; NaN for what is no amount with at most two decimals. */
export function minorOf(value: unknown): number {
  const match = /^(\d{1,13})(?:\.(\d{1,2})0*)?$/.exec(String(value));
  return match ? Number(match[1]) * 100 + Number((match[2] ?? '').padEnd(2, '0')) : Number.NaN;
}
