/** What limits and prices count in. Kept from zod, so that screens can use it early. */
export const speedUnits = ['kbps', 'mbps', 'gbps'] as const;
export const durationUnits = ['minute', 'hour', 'day'] as const;
export const currencies = ['eur', 'usd', 'gbp', 'try'] as const;
