import { SegmentedControl } from '@mantine/core';
import type { Location } from '@portico/contract/locations.ts';
import { useTranslation } from 'react-i18next';
import { useUpdateSessionSettings } from '#features/locations/locations.api.ts';
import { type SessionSettings, sessionFields } from '#features/locations/session-fields.ts';
import classes from '#features/locations/session-settings.module.css';
import { SettingRow } from '#features/locations/setting-row.tsx';
import { lazyPart } from '#lib/lazy-part.tsx';
import { useCan, useLimited } from '#lib/permissions.ts';
import { Card } from '#ui/card.tsx';
import layout from '#ui/form-layout.module.css';
import { pageForm } from '#ui/header-save.tsx';
import { NumberField } from '#ui/number-field.tsx';
import { SaveBar } from '#ui/save-bar.tsx';
import { useContractForm } from '#ui/use-contract-form.ts';

const MacTags = lazyPart(() => import('#features/locations/mac-tags.tsx'), 'MacTags', 'in-place');

/** The limits and device lists of a location, used where no profile sets its own. */
export function SessionSettingsForm({ location }: { location: Location }) {
  const { t } = useTranslation(['locations', 'limit']);
  const can = useCan();
  const readOnly = !can('update-location');
  const limited = useLimited();
  const mayChangeLists = can('update-devices') && !limited;
  const update = useUpdateSessionSettings(location.id);
  const { form, element } = useContractForm({
    schema: async () => (await import('#features/locations/session-settings-schema.ts')).sessionSettings,
    initial: Object.fromEntries(sessionFields.map(field => [field, location[field]])) as SessionSettings,
    version: location.updated_at,
    submit: values => update.mutateAsync(values),
  });
  const { values, errors, getInputProps } = form;
  const row = (name: 'time_limit' | 'daily_bandwidth' | 'download_limit' | 'upload_limit') => ({
    label: t(`session.${name}`),
    help: t(`session.${name}_help`),
    on: values[`${name}_enabled`],
    onSwitch: (on: boolean) => getInputProps(`${name}_enabled`).onChange(on),
  });
  const list = (name: 'mac_whitelist' | 'mac_blacklist') => ({
    row: {
      label: t(`session.${name}`),
      help: t(`session.${name}_help`),
      on: values[`${name}_enabled`],
      onSwitch: (on: boolean) => getInputProps(`${name}_enabled`).onChange(on),
      off: t('session.listOff'),
    },
    tags: {
      label: t('session.macs'),
      description: t('session.macsHelp'),
      value: values[name],
      onChange: (macs: string[]) => getInputProps(name).onChange(macs),
      error: Object.entries(errors).find(([key]) => key.startsWith(name))?.[1],
    },
  });
  const white = list('mac_whitelist');
  const black = list('mac_blacklist');

  return (
    <form id={pageForm} {...element}>
      <fieldset className={layout.whole} disabled={readOnly}>
        <Card title={t('session.limits')} description={t('session.limitsHelp')}>
          <div>
            <SettingRow {...row('time_limit')}>
              <div className={classes.amount}>
                <NumberField aria-label={t('session.time_limit')} {...getInputProps('time_limit')} />
                <SegmentedControl
                  aria-label={t('limit:unit')}
                  data={(['minute', 'hour', 'day'] as const).map(unit => ({
                    value: unit,
                    label: t(`limit:${unit}`),
                  }))}
                  {...getInputProps('time_limit_unit')}
                />
              </div>
            </SettingRow>
            <SettingRow {...row('daily_bandwidth')}>
              <div className={classes.amount}>
                <NumberField decimals aria-label={t('session.daily_bandwidth')} {...getInputProps('daily_bandwidth')} />
                <SegmentedControl
                  aria-label={t('limit:unit')}
                  data={[
                    { value: 'mb', label: 'MB' },
                    { value: 'gb', label: 'GB' },
                  ]}
                  {...getInputProps('daily_bandwidth_unit')}
                />
              </div>
            </SettingRow>
            {(['download_limit', 'upload_limit'] as const).map(name => (
              <SettingRow key={name} {...row(name)}>
                <NumberField
                  aria-label={t(`session.${name}`)}
                  className={classes.number ?? ''}
                  unit={t('session.perSecond')}
                  decimals
                  {...getInputProps(name)}
                />
              </SettingRow>
            ))}
          </div>
        </Card>
        <Card title={t('session.lists')} description={t('session.listsHelp')}>
          <fieldset className={layout.whole} disabled={!mayChangeLists}>
            <SettingRow {...white.row}>
              <MacTags {...white.tags} />
            </SettingRow>
            <SettingRow {...black.row}>
              <MacTags {...black.tags} />
            </SettingRow>
          </fieldset>
        </Card>
      </fieldset>
      <SaveBar readOnly={readOnly} dirty={form.isDirty()} pending={update.isPending} onDiscard={form.reset} />
    </form>
  );
}
