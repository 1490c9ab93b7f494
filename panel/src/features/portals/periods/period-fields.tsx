import { ActionIcon, MultiSelect, NativeSelect, TextInput } from '@mantine/core';
import type { PortalPeriod } from '@portico/contract/portal-periods.ts';
import { IconTrash } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { weekdayName, weekdays } from '#features/portals/items/weekdays.ts';
import classes from '#features/portals/periods/periods.module.css';
import { DateField } from '#ui/date-field.tsx';
import layout from '#ui/form-layout.module.css';

interface Props {
  period: PortalPeriod;
  place: number;
  /** The portals that can be chosen. */
  portals: readonly { value: string; label: string }[];
  onChange: (change: Partial<PortalPeriod>) => void;
  onRemove: () => void;
  errorOf: (key: string) => string | undefined;
}

/** A period: its portal, days and hours. */
export function PeriodFields({ period, place, portals, onChange, onRemove, errorOf }: Props) {
  const { t } = useTranslation('portal-periods');
  return (
    <fieldset className={layout.fields} aria-label={t('period', { place })}>
      <div className={classes.head}>
        <NativeSelect
          label={t('portal')}
          data={[{ value: '', label: t('choose') }, ...portals]}
          value={period.portal_id}
          onChange={event => onChange({ portal_id: event.currentTarget.value })}
          error={errorOf('portal_id')}
          withAsterisk
        />
        <ActionIcon variant="subtle" color="red" size={36} onClick={onRemove} aria-label={t('remove', { place })}>
          <IconTrash size={18} aria-hidden />
        </ActionIcon>
      </div>
      <div className={layout.two}>
        {(['starts_on', 'ends_on'] as const).map(key => (
          <DateField
            key={key}
            type="date"
            label={t(key)}
            value={period[key] ?? ''}
            onChange={value => onChange({ [key]: value || null })}
            error={errorOf(key)}
          />
        ))}
      </div>
      <MultiSelect
        label={t('weekdays')}
        placeholder={period.weekdays ? undefined : t('everyDay')}
        data={weekdays.map(day => ({ value: String(day), label: weekdayName(day) }))}
        value={period.weekdays?.map(String) ?? []}
        onChange={days =>
          onChange({ weekdays: days.length ? weekdays.filter(day => days.includes(String(day))) : null })
        }
        error={errorOf('weekdays')}
      />
      <div className={layout.two}>
        {(['from_time', 'to_time'] as const).map(key => (
          <TextInput
            key={key}
            label={t(key)}
            placeholder="18:30"
            maxLength={5}
            value={period[key] ?? ''}
            onChange={event => onChange({ [key]: event.currentTarget.value.trim() || null })}
            error={errorOf(key)}
          />
        ))}
      </div>
    </fieldset>
  );
}
