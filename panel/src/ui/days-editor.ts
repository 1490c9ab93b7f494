import { lazyPart } from '#lib/lazy-part.tsx';

/** Days and calendar load together, so that the first field can receive focus when the filter opens. */
const load = async () => {
  const [{ DaysForm }] = await Promise.all([import('#ui/days-form.tsx'), import('#ui/date-input.tsx')]);
  return { DaysForm };
};

/** Two days as the content of a filter, whose popover waits for the fields. No list loads them before it is opened. */
export const DaysEditor = lazyPart(load, 'DaysForm', 'around');
