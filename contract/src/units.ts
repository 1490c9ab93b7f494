/** The units of limits and prices. Without zod, so that screens can use them without the schemas. */
export const speedUnits = ['kbps', 'mbps', 'gbps'] as const;
export const durationUnits = ['minute', 'hour', 'day'] as const;
/** Decimal: 1 GB is 10⁹ bytes, as sold. */
export const dataUnits = ['mb', 'gb', 'tb'] as const;
export const currencies = ['eur', 'usd', 'gbp', 'try'] as const;
