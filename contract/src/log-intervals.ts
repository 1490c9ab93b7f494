/** Without zod, because the panel shows it. */

export const logIntervals = ['day', 'hour', 'minute'] as const;

/** The longest period of a histogram, in days, limited by what a chart can show. */
export const maxHistogramDays = { minute: 2, hour: 62, day: 731 } as const satisfies Record<
  (typeof logIntervals)[number],
  number
>;

/** The number of days for which dropped lines are reported. */
export const dropReportDays = 30;
