import { NativeSelect, TextInput } from '@mantine/core';
import type { Location } from '@portico/contract/locations.ts';
import type { PortalPeriod } from '@portico/contract/portal-periods.ts';
import { useTranslation } from 'react-i18next';
import { LocationAddress } from '#features/locations/location-address.tsx';
import { useUpdateLocation } from '#features/locations/locations.api.ts';
import { changePeriods, PeriodsCard } from '#features/portals/public.ts';
import { useChoices } from '#lib/choices.ts';
import { useCan } from '#lib/permissions.ts';
import { Card } from '#ui/card.tsx';
import { choices } from '#ui/choices.ts';
import layout from '#ui/form-layout.module.css';
import { pageForm } from '#ui/header-save.tsx';
import { SaveBar } from '#ui/save-bar.tsx';
import { TimeZoneField } from '#ui/time-zone-field.tsx';
import { useContractForm } from '#ui/use-contract-form.ts';

export function LocationForm({ location }: { location: Location }) {
  const { t } = useTranslation('locations');
  const readOnly = !useCan()('update-location');
  const { portals, profiles } = useChoices(location.id);
  const update = useUpdateLocation(location.id);
  const { name, country, city, district, time_zone, portal_id, default_profile_id } = location;
  // Its name is known once the profiles have loaded, if the user may view them.
  const chosenProfile = default_profile_id ? { id: default_profile_id, name: '…' } : null;
  const { form, element } = useContractForm({
    schema: async () => (await import('#features/locations/location-schemas.ts')).generalLocation,
    initial: {
      ...{ name, country: country ?? '', city: city ?? '', district: district ?? '', time_zone },
      portal_id: portal_id ?? '',
      default_profile_id: default_profile_id ?? '',
      portal_periods: location.portal_periods as readonly PortalPeriod[],
    },
    version: location.updated_at,
    toInput: values => ({
      ...values,
      portal_id: values.portal_id || null,
      default_profile_id: values.default_profile_id || null,
      portal_periods: [...values.portal_periods],
    }),
    submit: values => update.mutateAsync(values),
  });
  return (
    <form id={pageForm} {...element}>
      <fieldset className={layout.whole} disabled={readOnly}>
        <Card title={t('venue')} description={t('venueHelp')}>
          <div className={layout.fields}>
            <TextInput label={t('name')} withAsterisk {...form.getInputProps('name')} />
            <LocationAddress form={form} />
            <TimeZoneField label={t('timeZone')} description={t('timeZoneHelp')} {...form.getInputProps('time_zone')} />
          </div>
        </Card>
        <Card title={t('guests')} description={t('guestsHelp')}>
          <div className={layout.two}>
            <NativeSelect
              label={t('portal')}
              data={[{ value: '', label: t('noPortal') }, ...choices(portals, location.portal)]}
              {...form.getInputProps('portal_id')}
            />
            <NativeSelect
              label={t('defaultProfile')}
              data={[{ value: '', label: t('noProfile') }, ...choices(profiles, chosenProfile)]}
              {...form.getInputProps('default_profile_id')}
            />
          </div>
        </Card>
        <PeriodsCard
          values={form.values.portal_periods}
          saved={location.portal_periods}
          onChange={periods => changePeriods(form, periods)}
          errors={form.errors}
          portals={portals}
          timeZone={time_zone}
          otherwise={{ portal: location.portal, periods: [] }}
          help="location"
        />
      </fieldset>
      <SaveBar readOnly={readOnly} dirty={form.isDirty()} pending={update.isPending} onDiscard={form.reset} />
    </form>
  );
}
