import { text } from './fields.ts';

const isListedZone = (zone: string): boolean => Intl.supportedValuesOf('timeZone').includes(zone) || zone === 'UTC';

/** The listed name of a time zone that has several: Asia/Calcutta for Asia/Kolkata. Browsers differ in the one they send. */
function listedZone(zone: string): string {
  if (isListedZone(zone) || !/^[A-Z]\w*(\/\w[\w+-]*)+$/.test(zone)) return zone;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone;
  } catch {
    return zone;
  }
}

export const timeZone = text.overwrite(listedZone).refine(isListedZone, 'time_zone');
