/** Names of purchases. Without zod, so that screens can use them without the schemas. */

/**
 * `open`: not paid yet. `failed`: declined, or not paid within a day; a late payment still counts.
 * `refused`: the provider reports another amount or currency than was asked for, so no access was given.
 * `refunding`: the provider has not confirmed the refund yet. `charged-back`: the bank took the money back.
 */
export const purchaseStates = ['open', 'paid', 'failed', 'refused', 'refunding', 'refunded', 'charged-back'] as const;
export type PurchaseState = (typeof purchaseStates)[number];

/** Why a purchase needs attention. */
export const purchaseProblems = ['amount', 'currency', 'reference'] as const;
/** Likewise of a licence. `location`: it was deleted before the payment arrived, so that there is nothing to license. */
export const licenceProblems = [...purchaseProblems, 'location'] as const;
