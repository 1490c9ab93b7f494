/** The tax in an amount, both in minor units, rounded half up. `rate`: in hundredths of a percent. */
export const taxIn = (amount: number, rate: number): number =>
  Math.floor((2 * amount * rate + 10_000 + rate) / (2 * (10_000 + rate)));
