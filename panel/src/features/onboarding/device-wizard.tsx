import { hasSerialNumber } from '@portico/contract/device-kinds.ts';
import type { Location } from '@portico/contract/locations.ts';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { generateSecret, useBrands, useDevice } from '#features/devices/public.ts';
import { BrandStep } from '#features/onboarding/brand-step.tsx';
import { useOnlyDevice } from '#features/onboarding/onboarding.api.ts';
import classes from '#features/onboarding/onboarding.module.css';
import { OnboardingTitle } from '#features/onboarding/onboarding-title.tsx';
import { useFirstDevice } from '#features/onboarding/use-first-device.ts';
import { portalAccess, type Step, stepOf } from '#features/onboarding/wizard-step.ts';
import { lazyPart } from '#lib/lazy-part.tsx';
import { useCan } from '#lib/permissions.ts';
import type { ListSearch } from '#lib/search.ts';
import { useUser } from '#lib/user.ts';
import { FormSkeleton } from '#ui/form-skeleton.tsx';
import { LoadError } from '#ui/load-error.tsx';
import { Steps } from '#ui/steps.tsx';

// Each step loads when it is reached, to keep the first screen within its size budget.
const DetailsStep = lazyPart(() => import('#features/onboarding/details-step.tsx'), 'DetailsStep', 'in-place');
const PortalStep = lazyPart(() => import('#features/onboarding/portal-step.tsx'), 'PortalStep', 'in-place');
const DoneStep = lazyPart(() => import('#features/onboarding/done-step.tsx'), 'DoneStep', 'in-place');

interface Props {
  location: Location;
  search: ListSearch;
}

/** Brand, device, portal, done. Step, brand and created device are in the address, so that the wizard can be resumed. */
export function DeviceWizard({ location, search }: Props) {
  const { t } = useTranslation('onboarding');
  const navigate = useNavigate();
  const { total_devices } = useUser();
  const can = useCan();
  const query = useBrands();
  const brands = query.data?.data ?? [];
  const onlyDevice = useOnlyDevice(location.id, !search.device && total_devices > 0);
  const device = useDevice(search.device ?? onlyDevice).data?.data;
  const brand = brands.find(each => each.slug === (search.brand ?? device?.brand.slug));
  const step = stepOf(
    { ...search, brand: brand?.slug },
    { hasDevice: total_devices > 0, hasPortal: location.portal_id !== null, mayPortal: can(portalAccess(location)) },
  );
  const goTo = (to: Step, patch: ListSearch = {}) =>
    void navigate({
      to: '/onboarding/device',
      search: { brand: brand?.slug, device: device?.id, ...patch, step: String(to) },
    });

  const [secret] = useState(generateSecret);
  const first = useFirstDevice({
    locationId: location.id,
    brand,
    secret: brand && hasSerialNumber(brand.slug) ? secret : undefined,
    device,
    onSaved: made => goTo(3, { device: made.id }),
  });

  const titles = [t('brand.title'), t('details.title'), t('portal.title'), t('done.title')];
  const isConnected = Boolean(device?.last_seen_at);
  const identified = brand && hasSerialNumber(brand.slug) ? t('details.serialLead') : t('details.lead');
  const leads = [t('brand.lead'), identified, t('portal.lead'), isConnected ? undefined : t('done.lead')];
  return (
    <>
      <div className={classes.steps}>
        <Steps
          label={t('title')}
          steps={[t('brand.step'), t('details.step'), t('portal.step'), t('done.step')]}
          at={step - 1}
          done={[total_devices > 0 || step > 1, total_devices > 0, location.portal_id !== null, false]}
        />
      </div>
      <OnboardingTitle
        title={titles[step - 1] ?? ''}
        lead={leads[step - 1]}
        wide={step === 3}
        done={step === 4 && isConnected}
      />
      {step < 3 && query.error && !query.data && <LoadError error={query.error} onRetry={() => void query.refetch()} />}
      {step < 3 && query.isPending && (
        <div className={classes.narrow}>
          <FormSkeleton fields={3} />
        </div>
      )}
      {step === 1 && query.data && (
        <BrandStep
          brands={brands}
          chosen={brand}
          onChoose={({ slug }) => {
            first.form.setFieldValue('mac_address', '');
            void navigate({
              to: '/onboarding/device',
              search: { ...search, device: device?.id, step: '1', brand: slug },
              replace: true,
              resetScroll: false,
            });
          }}
          onNext={() => goTo(2)}
        />
      )}
      {step === 2 && brand && (
        // As wide while it loads.
        <div className={classes.narrow}>
          <DetailsStep first={first} brand={brand} secret={device?.secret ?? secret} onBack={() => goTo(1)} />
        </div>
      )}
      {step === 3 && <PortalStep location={location} onBack={() => goTo(2)} onSaved={() => goTo(4)} />}
      {step === 4 && (
        <div className={classes.narrow}>
          <DoneStep device={device} portalId={location.portal_id} />
        </div>
      )}
    </>
  );
}
