import type { Brand, DeviceDetail } from '@portico/contract/devices.ts';
import type { currencies, durationUnits, speedUnits } from '@portico/contract/units.ts';
import { useEffect, useRef } from 'react';
import { useCreateDevice, useUpdateDevice } from '#features/devices/public.ts';
import { useUpdateProfile } from '#features/onboarding/onboarding.api.ts';
import { useCan } from '#lib/permissions.ts';
import type { Limit } from '#ui/limit-text.ts';
import { useContractForm } from '#ui/use-contract-form.ts';

const speed: Limit<(typeof speedUnits)[number]> = { is_active: false, option: 'mbps', value: 1 };
const duration: Limit<(typeof durationUnits)[number]> = { is_active: false, option: 'day', value: 1 };
const price: Limit<(typeof currencies)[number]> = { is_active: false, option: 'eur', value: 1 };

/** Document 1, section 9; the name is the same in every language. */
const standardProfile = {
  name: 'Standart User Profile',
  shared_user: 3,
  session_duration: duration,
  max_upload: speed,
  max_download: speed,
  paid_sale: price,
};

interface Options {
  locationId: string;
  brand: Brand | undefined;
  /** For brands whose devices need it before they are saved. */
  secret: string | undefined;
  /** The device created earlier, which is updated instead of created again. */
  device: DeviceDetail | undefined;
  onSaved: (device: DeviceDetail) => void;
}

/** The form of the device and its guests' limits. It outlives the steps, so that going back loses nothing. */
export function useFirstDevice({ locationId, brand, secret, device, onSaved }: Options) {
  const create = useCreateDevice();
  const update = useUpdateDevice(device?.id ?? '');
  const updateProfile = useUpdateProfile();
  const mayLimit = useCan()('update-location');
  const profileId = device?.user_profile?.id;
  const madeHere = useRef(false);
  // The limits of a device created before the page was loaded are unknown here.
  const withProfile = mayLimit && (!device || (madeHere.current && profileId !== undefined));
  const contract = useContractForm({
    schema: async () => (await import('#features/onboarding/onboarding-schemas.ts')).firstDevice,
    initial: { name: '', mac_address: '', user_profile: standardProfile },
    toInput: ({ user_profile, ...values }) => ({
      ...values,
      brand_id: brand?.id,
      location_id: locationId,
      secret,
      ...(withProfile && { user_profile }),
    }),
    submit: async values => {
      if (!device) {
        const { data } = await create.mutateAsync(values);
        madeHere.current = true;
        return onSaved(data);
      }
      const { name, mac_address, brand_id, user_profile } = values;
      const { data } = await update.mutateAsync({ name, mac_address, brand_id });
      if (user_profile && profileId)
        await updateProfile.mutateAsync({ id: profileId, ...user_profile, is_default: true });
      onSaved(data);
    },
  });
  const { form } = contract;
  useEffect(() => {
    if (!device || madeHere.current) return;
    form.setFieldValue('name', device.name);
    form.setFieldValue('mac_address', device.serial_number ?? device.mac_address);
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- only when a page is loaded with a device in its address
  }, [device?.id]);
  return { ...contract, withProfile, pending: create.isPending || update.isPending || updateProfile.isPending };
}

export type FirstDevice = ReturnType<typeof useFirstDevice>;
