import { NativeSelect, SegmentedControl, Switch, TextInput } from '@mantine/core';
import type { TenantSettings } from '@portico/contract/tenants.ts';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ColorField } from '#features/tenants/color-field.tsx';
import { PictureField } from '#features/tenants/picture-field.tsx';
import { brandingOf, type TenantValues, tenantInput, tenantValues } from '#features/tenants/tenant-values.ts';
import { useSaveTenant } from '#features/tenants/tenants.api.ts';
import classes from '#features/tenants/tenants.module.css';
import { language } from '#lib/language.ts';
import { lazyPart } from '#lib/lazy-part.tsx';
import { useCan } from '#lib/permissions.ts';
import { tenant } from '#lib/tenant.ts';
import { toastError } from '#lib/toast.ts';
import { Card } from '#ui/card.tsx';
import layout from '#ui/form-layout.module.css';
import { pageForm } from '#ui/header-save.tsx';
import { NumberField } from '#ui/number-field.tsx';
import { SaveBar } from '#ui/save-bar.tsx';
import { TimeZoneField } from '#ui/time-zone-field.tsx';
import { useContractForm } from '#ui/use-contract-form.ts';

const SignInPreview = lazyPart(() => import('#features/auth/public.ts'), 'SignInPreview', 'in-place');

const names: Record<string, string> = { en: 'English', tr: 'Türkçe' };

const idleTimes = ['', '15', '30', '60', '480', '1440', '10080'];
/** The usual times, and the current one when the API set another. */
const idleChoices = (current: string): string[] =>
  idleTimes.includes(current) ? idleTimes : [...idleTimes, current].sort((a, b) => Number(a) - Number(b));

/** The tenant's name, colours, pictures and texts, with a preview of the sign-in screen. */
export function TenantForm({ settings }: { settings: TenantSettings }) {
  const { t } = useTranslation('tenants');
  const readOnly = !useCan()('tenant-admin');
  const { languages } = tenant();
  const [spoken, setSpoken] = useState<string>(language());
  const save = useSaveTenant();
  const { form, element } = useContractForm({
    schema: async () => (await import('#features/tenants/tenant-schemas.ts')).tenantForm,
    initial: tenantValues(settings, languages),
    version: settings.updated_at,
    toInput: (values: TenantValues) => tenantInput(values),
    submit: values => save.mutateAsync(values),
  });
  const { values, errors, getInputProps, setFieldValue } = form;
  const idleText = (minutes: string) => {
    const count = Number(minutes);
    if (count === 0) return t('idle.installation');
    if (count % 1440 === 0) return t('idle.days', { count: count / 1440 });
    return count % 60 === 0 ? t('idle.hours', { count: count / 60 }) : t('idle.minutes', { count });
  };
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    if (!values.brand_name.trim() || !values.brand_long_name.trim()) toastError(t('fillIn'));
    element.onSubmit(event);
  };
  return (
    <form id={pageForm} {...element} onSubmit={onSubmit} className={classes.form}>
      <div>
        <fieldset className={layout.whole} disabled={readOnly}>
          <Card title={t('brand')} description={t('brandHelp')}>
            <div className={layout.fields}>
              <div className={layout.two}>
                <TextInput label={t('brandName')} withAsterisk {...getInputProps('brand_name')} />
                <TextInput label={t('brandLongName')} withAsterisk {...getInputProps('brand_long_name')} />
              </div>
              <PictureField
                label={t('logo')}
                help={t('logoHelp')}
                readOnly={readOnly}
                src={values.landing_logo}
                onChange={src => setFieldValue('landing_logo', src)}
                error={errors.landing_logo}
              />
              <ColorField label={t('color')} description={t('colorHelp')} {...getInputProps('primary_color')} />
            </div>
          </Card>
          <Card title={t('signIn')} description={t('signInHelp')}>
            <div className={layout.fields}>
              <PictureField
                label={t('background')}
                help={t('backgroundHelp')}
                readOnly={readOnly}
                src={values.landing_background_image}
                onChange={src => setFieldValue('landing_background_image', src)}
                error={errors.landing_background_image}
                wide
              />
              <Switch
                label={t('gradient')}
                description={t('gradientHelp')}
                {...getInputProps('gradient', { type: 'checkbox' })}
              />
              {values.gradient && (
                <div className={layout.two}>
                  <ColorField label={t('gradientFrom')} {...getInputProps('gradient_from')} />
                  <ColorField
                    label={t('gradientTo')}
                    {...getInputProps('gradient_to')}
                    error={errors.gradient_to ?? errors.landing_background}
                  />
                </div>
              )}
              <SegmentedControl
                className={classes.languages ?? ''}
                aria-label={t('languageOfTexts')}
                data={languages.map(code => ({ value: code, label: names[code] ?? code.toUpperCase() }))}
                value={spoken}
                onChange={setSpoken}
              />
              <TextInput label={t('landingTitle')} maxLength={500} {...getInputProps(`landing_title.${spoken}`)} />
              <TextInput label={t('slogan')} maxLength={500} {...getInputProps(`landing_slogan.${spoken}`)} />
              <TextInput label={t('copyright')} maxLength={500} {...getInputProps(`landing_copyright.${spoken}`)} />
              <PictureField
                label={t('bottomImage')}
                help={t('bottomImageHelp')}
                readOnly={readOnly}
                src={values.landing_bottom_image}
                onChange={src => setFieldValue('landing_bottom_image', src)}
                error={errors.landing_bottom_image}
              />
            </div>
          </Card>
          <Card title={t('time')} description={t('timeHelp')}>
            <TimeZoneField label={t('timeZone')} description={t('timeZoneHelp')} {...getInputProps('time_zone')} />
          </Card>
          <Card title={t('security')} description={t('securityHelp')}>
            <div className={layout.fields}>
              <NumberField
                className={classes.number ?? ''}
                label={t('passwordMin')}
                {...getInputProps('password_min')}
              />
              <NativeSelect
                className={classes.number ?? ''}
                label={t('idle.label')}
                description={t('idle.help')}
                inputWrapperOrder={['label', 'input', 'description', 'error']}
                data={idleChoices(values.idle_minutes).map(value => ({ value, label: idleText(value) }))}
                {...getInputProps('idle_minutes')}
              />
              <Switch
                label={t('secondFactor')}
                description={t('secondFactorHelp')}
                {...getInputProps('require_second_factor', { type: 'checkbox' })}
              />
              <Switch
                label={t('byInvitation')}
                description={t('byInvitationHelp')}
                checked={values.registration === 'invitation'}
                onChange={event =>
                  form.setFieldValue('registration', event.currentTarget.checked ? 'invitation' : 'open')
                }
              />
            </div>
          </Card>
        </fieldset>
        <SaveBar readOnly={readOnly} dirty={form.isDirty()} pending={save.isPending} onDiscard={form.reset} />
      </div>
      <aside className={classes.preview} aria-label={t('preview')}>
        <h2>{t('preview')}</h2>
        <SignInPreview branding={brandingOf(values)} label={t('previewAlt')} />
      </aside>
    </form>
  );
}
