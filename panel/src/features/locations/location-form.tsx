import { Select, TextInput } from '@mantine/core';
import type { Location } from '@portico/contract/locations.ts';
import { useTranslation } from 'react-i18next';
import { LocationAddress } from '#features/locations/location-address.tsx';
import { usePortalChoices, useProfileChoices, useUpdateLocation } from '#features/locations/locations.api.ts';
import { useCan } from '#lib/permissions.ts';
import { Card } from '#ui/card.tsx';
import { choices } from '#ui/choices.ts';
import layout from '#ui/form-layout.module.css';
import { SaveBar } from '#ui/save-bar.tsx';
import { useContractForm } from '#ui/use-contract-form.ts';

const zones = Intl.supportedValuesOf('timeZone');

export function LocationForm({ location }: { location: Location }) {
  const { t } = useTranslation('locations');
  const readOnly = !useCan()('update-location');
  const portals = usePortalChoices();
  const profiles = useProfileChoices(location.id);
  const update = useUpdateLocation(location.id);
  const { name, country, city, district, time_zone, portal_id, default_profile_id } = location;
  const { form, element } = useContractForm({
    schema: async () => (await import('#features/locations/location-schemas.ts')).generalLocation,
    initial: { name, country, city, district, time_zone, portal_id, default_profile_id },
    submit: values => update.mutateAsync(values),
  });
  return (
    <form {...element}>
      <fieldset className={layout.whole} disabled={readOnly}>
        <Card title={t('venue')} description={t('venueHelp')}>
          <div className={layout.fields}>
            <TextInput label={t('name')} withAsterisk {...form.getInputProps('name')} />
            <LocationAddress form={form} />
            <Select
              label={t('timeZone')}
              description={t('timeZoneHelp')}
              inputWrapperOrder={['label', 'input', 'description', 'error']}
              data={zones.includes(time_zone) ? zones : [time_zone, ...zones]}
              searchable
              limit={50}
              allowDeselect={false}
              {...form.getInputProps('time_zone')}
            />
          </div>
        </Card>
        <Card title={t('guests')} description={t('guestsHelp')}>
          <div className={layout.two}>
            <Select
              label={t('portal')}
              placeholder={t('noPortal')}
              data={choices(portals, location.portal)}
              clearable
              {...form.getInputProps('portal_id')}
            />
            <Select
              label={t('defaultProfile')}
              placeholder={t('noProfile')}
              data={choices(profiles)}
              clearable
              {...form.getInputProps('default_profile_id')}
            />
          </div>
        </Card>
      </fieldset>
      <SaveBar dirty={form.isDirty()} pending={update.isPending} onDiscard={form.reset} />
    </form>
  );
}
