import { useTranslation } from 'react-i18next';
import { formatLocal } from '#features/logs/log-format.ts';
import { nameOf, periodOf, searchOf } from '#features/logs/period/log-period.ts';
import { PeriodEditor } from '#features/sessions/public.ts';
import { formatDay } from '#lib/format.ts';
import { useLocalNow } from '#lib/local-now.ts';
import type { Filter } from '#ui/filter.ts';

/** The period filter of a log screen. `standard` describes the default. */
export function useLogPeriod(standard: string): Filter {
  const { t } = useTranslation('sessions');
  const now = useLocalNow();
  const describe = (value: string): string => {
    const name = nameOf(value);
    if (name) return t(`period.${name}`);
    const days = value.split('_');
    if (days.length === 2) return days.map(formatDay).join(' – ');
    return value
      .split('~')
      .map(time => (time ? formatLocal(time) : '…'))
      .join(' – ');
  };
  return {
    key: 'start_at',
    label: t('periodLabel'),
    kind: 'custom',
    standard,
    describe: value => (value === standard ? standard : describe(value)),
    editor: (value, set) => <PeriodEditor value={value} onChange={set} standard={null} />,
    keys: { read: search => periodOf(search, now()), write: value => searchOf(value, now()) },
  };
}
