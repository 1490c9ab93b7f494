import { fill } from '@portico/contract/errors.ts';
import type { GuestProblem } from '@portico/contract/guest-problems.ts';
import type { SignInView } from '@portico/contract/guests.ts';
import type { PortalLanguage } from '@portico/contract/portal-languages.ts';
import { duration } from '../amounts.ts';
import { textsIn, timeFormat } from '../texts/texts.ts';

/**
 * A problem's title and advice in a language. The value `seconds` is formatted as a duration. The values `begins`, a time in ISO
 * 8601, and `timeZone` are shown before the advice.
 */
export function problemText(
  language: PortalLanguage,
  problem: GuestProblem,
  values: Readonly<Record<string, string | number>>,
  { offersMore = false } = {},
): readonly [title: string, advice: string] {
  const texts = textsIn(language);
  const [title, written] = texts.problems[problem];
  const { begins, timeZone } = values;
  const time = begins && timeFormat(language, String(timeZone)).format(new Date(begins));
  const advice = [
    ...(time ? [fill(texts.begins, { time })] : []),
    fill(written, { ...values, wait: duration(language, Number(values['seconds'] ?? 60)) }),
    ...(problem === 'expired' && !offersMore ? [texts.askStaff] : []),
  ];
  return [title, advice.join(' ')];
}

/** Whether the entered code is wrong or has expired; the page's title says so. */
export const isCodeRefused = (
  view: SignInView,
): view is SignInView & { readonly problem: 'wrong_code' | 'code_over' } =>
  view.code !== null && (view.problem === 'wrong_code' || view.problem === 'code_over');
