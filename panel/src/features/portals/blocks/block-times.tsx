import { MultiSelect, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { type BlockPartProps, setterOf } from '#features/portals/blocks/block-fields.tsx';
import fields from '#features/portals/fields/fields.module.css';
import { weekdayName, weekdays } from '#features/portals/items/weekdays.ts';
import { DateField } from '#ui/date-field.tsx';
import layout from '#ui/form-layout.module.css';

/** The days and the hours in which a block is shown. */
export function BlockTimes({ form, block, at }: BlockPartProps) {
  const { t } = useTranslation('portal-blocks');
  const { errors } = form;
  const set = setterOf(form, at);
  return (
    <>
      <div className={layout.two}>
        {(['starts_on', 'ends_on'] as const).map(key => (
          <DateField
            key={key}
            type="date"
            label={t(`field.${key}`)}
            value={block[key] ?? ''}
            onChange={value => set(key, value || null)}
            error={errors[`${at}.${key}`]}
          />
        ))}
      </div>
      <MultiSelect
        label={t('field.weekdays')}
        placeholder={block.weekdays ? undefined : t('everyDay')}
        data={weekdays.map(it => ({ value: String(it), label: weekdayName(it) }))}
        value={block.weekdays?.map(String) ?? []}
        onChange={days => set('weekdays', days.length ? weekdays.filter(it => days.includes(String(it))) : null)}
        error={errors[`${at}.weekdays`]}
      />
      <div className={layout.two}>
        {(['from_time', 'to_time'] as const).map(key => (
          <TextInput
            key={key}
            placeholder="18:30"
            maxLength={5}
            label={t(`field.${key}`)}
            value={block[key] ?? ''}
            onChange={event => set(key, event.currentTarget.value.trim() || null)}
            error={errors[`${at}.${key}`]}
          />
        ))}
      </div>
      <p className={fields.help}>{t('scheduleHelp')}</p>
    </>
  );
}
