import type { PortalPeriod } from '@portico/contract/portal-periods.ts';
import type { ReactNode } from 'react';

type FormErrors = Record<string, ReactNode>;

interface PeriodsForm {
  readonly errors: FormErrors;
  setFieldValue: (path: 'portal_periods', value: readonly PortalPeriod[]) => void;
  setErrors: (errors: FormErrors) => void;
}

/** Sets the periods of a form, and clears their errors: one of them may be about another period. */
export function changePeriods(
  { errors, setFieldValue, setErrors }: PeriodsForm,
  periods: readonly PortalPeriod[],
): void {
  setFieldValue('portal_periods', periods);
  setErrors(Object.fromEntries(Object.entries(errors).filter(([path]) => !path.startsWith('portal_periods'))));
}
