import { MultiSelect, Radio, TextInput } from '@mantine/core';
import type { TenantUser } from '@portico/contract/tenants.ts';
import { useTranslation } from 'react-i18next';
import classes from '#features/tenants/roles.module.css';
import type { newTenantUser, tenantUserChange } from '#features/tenants/tenant-schemas.ts';
import { useLocationChoices, useSaveTenantUser } from '#features/tenants/tenants.api.ts';
import { tenant } from '#lib/tenant.ts';
import layout from '#ui/form-layout.module.css';
import { FormModal } from '#ui/form-modal.tsx';
import { PasswordField } from '#ui/password-field.tsx';
import { PasswordStrength } from '#ui/password-strength.tsx';
import { useContractForm } from '#ui/use-contract-form.ts';

const roles = ['tenant-admin', 'reseller', 'auditor'] as const;

interface Values extends Record<string, unknown> {
  first_name: string;
  last_name: string;
  email: string;
  phone_number: string;
  password: string;
  /** Empty at first: the most powerful role is never given by oversight. */
  role: TenantUser['role'] | '';
  location_ids: string[];
}

export function TenantUserForm({ user, onClose }: { user: TenantUser | undefined; onClose: () => void }) {
  const { t } = useTranslation('tenants');
  const save = useSaveTenantUser(user);
  const form = useContractForm<typeof newTenantUser | typeof tenantUserChange, Values>({
    schema: async () => {
      const schemas = await import('#features/tenants/tenant-schemas.ts');
      return user ? schemas.tenantUserChange : schemas.newTenantUser;
    },
    initial: {
      first_name: user?.first_name ?? '',
      last_name: user?.last_name ?? '',
      email: user?.email ?? '',
      phone_number: user?.phone_number ?? '',
      password: '',
      role: user?.role ?? '',
      location_ids: user?.location_ids ?? [],
    },
    toInput: ({ location_ids, ...values }) => ({
      ...values,
      password: values.password || undefined,
      role: values.role || undefined,
      ...(user && values.role === 'reseller' && { location_ids }),
    }),
    submit: async values => {
      await save.mutateAsync(values);
      onClose();
    },
  });
  const { getInputProps, values } = form.form;
  const isReseller = values.role === 'reseller';
  const locations = useLocationChoices(isReseller && user !== undefined);
  return (
    <FormModal
      title={t(user ? 'user.edit' : 'user.add')}
      form={form}
      size={560}
      pending={save.isPending}
      onClose={onClose}
    >
      <div className={layout.two}>
        <TextInput
          label={t('user.firstName')}
          withAsterisk
          autoComplete="off"
          data-autofocus
          {...getInputProps('first_name')}
        />
        <TextInput label={t('user.lastName')} withAsterisk autoComplete="off" {...getInputProps('last_name')} />
        <TextInput type="email" label={t('user.email')} withAsterisk autoComplete="off" {...getInputProps('email')} />
        <TextInput type="tel" label={t('user.phone')} autoComplete="off" {...getInputProps('phone_number')} />
      </div>
      <div>
        <PasswordField
          label={t(user ? 'user.newPassword' : 'user.password')}
          description={user && t('user.newPasswordHelp')}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          withAsterisk={!user}
          autoComplete="new-password"
          {...getInputProps('password')}
        />
        {(!user || values.password) && (
          <PasswordStrength
            password={values.password}
            atLeast={tenant().password_min}
            error={getInputProps('password').error}
          />
        )}
      </div>
      <fieldset className={layout.fields} data-invalid={getInputProps('role').error ? true : undefined}>
        <Radio.Group label={t('user.role')} withAsterisk {...getInputProps('role')}>
          <div className={classes.roles}>
            {roles.map(role => (
              <Radio key={role} value={role} label={t(`role.${role}`)} description={t(`roleHelp.${role}`)} />
            ))}
          </div>
        </Radio.Group>
      </fieldset>
      {isReseller && user && (
        <MultiSelect
          label={t('user.locationsLabel')}
          description={t('user.locationsHelp')}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          data={locations.map(({ id, name }) => ({ value: id, label: name }))}
          searchable
          hidePickedOptions
          limit={100}
          nothingFoundMessage={t('user.noLocation')}
          {...getInputProps('location_ids')}
        />
      )}
      {isReseller && !user && <p className={classes.later}>{t('user.locationsLater')}</p>}
    </FormModal>
  );
}
