import { Switch } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { periodSearch, shownPeriod, standardPeriod } from '#features/dashboard/filter.ts';
import { PeriodEditor, readPeriod, useDeviceChoices } from '#features/sessions/public.ts';
import { formatDay } from '#lib/format.ts';
import { useClockZone, useLocalNow } from '#lib/local-now.ts';
import { listOf, useListSearch } from '#lib/search.ts';
import { useUser } from '#lib/user.ts';
import { FilterBar } from '#ui/filter-bar.tsx';

/** Period, locations and devices. The location filter is hidden with only one location. */
export function DashboardFilter() {
  const { t } = useTranslation(['sessions', 'dashboard']);
  const { active_location, locations } = useUser();
  const [{ locations: chosen, compare }, change] = useListSearch();
  const devices = useDeviceChoices();
  const only = listOf(chosen);
  const now = useLocalNow(only);
  const zone = useClockZone(only);
  const moment = (time: string) => `${formatDay(time.slice(0, 10))} ${time.slice(11, 16)}`.trim();
  const describe = (value: string) => {
    if (value.includes('~')) return value.split('~').map(moment).join(' – ');
    const { name, days } = readPeriod(value, standardPeriod);
    return name ? t(`period.${name}`) : days.map(formatDay).join(' – ');
  };
  const options = (rows: readonly { id: string; name: string }[]) =>
    rows.map(({ id, name }) => ({ value: id, label: name }));
  return (
    <FilterBar
      filters={[
        {
          key: 'period',
          label: t('periodLabel'),
          kind: 'custom',
          standard: standardPeriod,
          describe,
          keys: { read: search => shownPeriod(search, now(), zone), write: periodSearch },
          editor: (value, set) => <PeriodEditor value={value} onChange={set} standard={standardPeriod} />,
        },
        ...(active_location || locations.length < 2
          ? []
          : [
              {
                key: 'locations',
                label: t('dashboard:locationsFilter'),
                kind: 'options' as const,
                options: options(locations),
              },
            ]),
        ...(devices.length < 2
          ? []
          : [
              {
                key: 'devices',
                label: t('device'),
                kind: 'options' as const,
                options: options(devices.filter(device => !only || only.includes(device.location_id))),
              },
            ]),
      ]}
    >
      <Switch
        size="xs"
        label={t('dashboard:compare')}
        checked={compare === 'before'}
        onChange={event => change({ compare: event.currentTarget.checked ? 'before' : undefined })}
      />
    </FilterBar>
  );
}
