import { NativeSelect, Switch, TextInput } from '@mantine/core';
import type { Provider } from '@portico/contract/portal-providers.ts';
import { useTranslation } from 'react-i18next';
import { useEditor } from '#features/portals/editor/editor-context.ts';
import { useProfileChoices } from '#features/portals/portals.api.ts';
import type { MethodsForm } from '#features/portals/sign-in/method-values.ts';
import classes from '#features/portals/sign-in/methods.module.css';
import { choices } from '#ui/choices.ts';
import layout from '#ui/form-layout.module.css';
import { NumberField } from '#ui/number-field.tsx';

interface Props {
  form: MethodsForm;
  provider: Provider;
  index: number;
}

const roomMethods = ['both', 'idNumber', 'onylIdNumber', 'departureDate', 'surname'] as const;
const kinds = { 'room-number': roomMethods, 'citizen-id': ['only_citizen_id', 'both'] } as const;

/** The options of a sign-in method: verification, extra details, security code and returning guests. */
export function MethodOptions({ form, provider, index }: Props) {
  const { t } = useTranslation('portal-editor');
  const { slug, options } = provider;
  const set = (changed: Partial<Record<string, unknown>>) =>
    form.setFieldValue(`providers.${index}.options`, { ...options, ...changed } as Provider['options']);
  const flag = (key: 'collect_email' | 'email_required' | 'collect_phone' | 'phone_required', also = {}) => ({
    label: t(`option.${key}`),
    checked: options[key],
    onChange: (event: { currentTarget: { checked: boolean } }) =>
      set({ [key]: event.currentTarget.checked, ...(event.currentTarget.checked ? {} : also) }),
  });
  return (
    <>
      {slug === 'citizen-id' && (
        <NativeSelect
          label={t('option.provider_type')}
          data={(['local', 'nvi'] as const).map(value => ({ value, label: t(`citizenType.${value}`) }))}
          value={provider.options.provider_type}
          onChange={event => set({ provider_type: event.currentTarget.value })}
        />
      )}
      {slug === 'citizen-id' && (
        <NativeSelect
          label={t('option.method')}
          description={provider.options.provider_type === 'nvi' ? t('nviHelp') : undefined}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          data={kinds[slug].map(value => ({ value, label: t(`citizenMethod.${value}`) }))}
          value={provider.options.method}
          onChange={({ currentTarget: { value } }) => set({ method: value, citizen_id_field: value })}
        />
      )}
      {slug === 'room-number' && (
        <NativeSelect
          label={t('option.method')}
          data={kinds[slug].map(value => ({ value, label: t(`roomMethod.${value}`) }))}
          value={provider.options.method}
          onChange={event => set({ method: event.currentTarget.value })}
        />
      )}
      {(slug === 'temp' || slug === 'email') && (
        <FreeAccess form={form} index={index} options={provider.options} set={set} />
      )}
      <div className={classes.switches}>
        {/* The e-mail and SMS methods always ask for the address or the number. */}
        {slug !== 'email' && <Switch {...flag('collect_email', { email_required: false })} />}
        {slug !== 'email' && options.collect_email && (
          <Switch className={classes.inner ?? ''} {...flag('email_required')} />
        )}
        {slug !== 'sms' && <Switch {...flag('collect_phone', { phone_required: false })} />}
        {slug !== 'sms' && options.collect_phone && (
          <Switch className={classes.inner ?? ''} {...flag('phone_required')} />
        )}
        <Switch
          label={t('option.require_security_code')}
          description={t('option.require_security_code_help')}
          checked={options.require_security_code}
          onChange={event => set({ require_security_code: event.currentTarget.checked, security_code: null })}
        />
        {options.require_security_code && (
          <TextInput
            className={classes.inner ?? ''}
            label={t('option.security_code')}
            withAsterisk
            maxLength={32}
            autoComplete="off"
            value={options.security_code ?? ''}
            onChange={event => set({ security_code: event.currentTarget.value })}
            error={form.errors[`providers.${index}.options.security_code`]}
          />
        )}
        <Switch
          label={t('option.remember')}
          description={t('option.remember_help')}
          checked={options.remember !== 'off'}
          onChange={event => set({ remember: event.currentTarget.checked ? 'cookie' : 'off' })}
        />
        {options.remember !== 'off' && (
          <div className={classes.inner ?? ''}>
            <NumberField
              label={t('option.remember_days')}
              value={options.remember_days}
              onChange={days => set({ remember_days: days })}
              error={form.errors[`providers.${index}.options.remember_days`]}
            />
            <Switch
              mt={12}
              label={t('option.remember_mac')}
              description={t('option.remember_mac_help')}
              checked={options.remember === 'mac'}
              onChange={event => set({ remember: event.currentTarget.checked ? 'mac' : 'cookie' })}
            />
          </div>
        )}
      </div>
    </>
  );
}

interface FreeAccessProps {
  form: MethodsForm;
  index: number;
  options: { profile_id: string | null; confirm_email: boolean };
  set: (changed: Record<string, unknown>) => void;
}

function FreeAccess({ form, index, options, set }: FreeAccessProps) {
  const { t } = useTranslation('portal-editor');
  const { portal } = useEditor();
  const profiles = useProfileChoices(portal.location_id);
  // The list would show its first entry for a profile that it does not have.
  const chosen = options.profile_id && { id: options.profile_id, name: profiles.length ? t('hiddenProfile') : '…' };
  return (
    <>
      <NativeSelect
        label={t('option.profile_id')}
        description={t('option.profile_id_help')}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        data={[{ value: '', label: t('locationProfile') }, ...choices(profiles, chosen || null)]}
        value={options.profile_id ?? ''}
        onChange={event => set({ profile_id: event.currentTarget.value || null })}
        error={form.errors[`providers.${index}.options.profile_id`]}
      />
      <div className={layout.fields}>
        <Switch
          label={t('option.confirm_email')}
          description={t('option.confirm_email_help')}
          checked={options.confirm_email}
          onChange={event => set({ confirm_email: event.currentTarget.checked })}
        />
      </div>
    </>
  );
}
