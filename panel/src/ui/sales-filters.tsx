import type { AuthUser } from '@portico/contract/auth.ts';
import { daysOf } from '#lib/day-range.ts';
import { formatDay } from '#lib/format.ts';
import { DaysEditor } from '#ui/days-editor.ts';
import type { Filter } from '#ui/filter.ts';

/** The filter of a list by days of its locations. */
export const daysFilter = (label: string): Filter => ({
  key: 'days',
  label,
  kind: 'custom',
  describe: value => Object.values(daysOf(value)).map(formatDay).join(' – ') || '–',
  editor: (value = '', set) => {
    const { first_day = '', last_day = '' } = daysOf(value);
    return <DaysEditor first={first_day} last={last_day} onChange={set} />;
  },
});

/** The filter of a list by location, for users who see several. */
export const locationFilter = (label: string, locations: AuthUser['locations']): Filter[] =>
  locations.length > 1
    ? [
        {
          key: 'location',
          label,
          kind: 'options',
          single: true,
          options: locations.map(({ id, name }) => ({ value: id, label: name })),
        },
      ]
    : [];
