import { TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { firstGrant, type GrantValues, type Role } from '#features/team/grant.ts';
import { GrantFields } from '#features/team/grant-fields.tsx';
import { useRoles } from '#features/team/roles.api.ts';
import { useInvite } from '#features/team/team.api.ts';
import type { newInvitation } from '#features/team/team-schemas.ts';
import { useOwnPermissions } from '#features/team/use-own-permissions.ts';
import layout from '#ui/form-layout.module.css';
import { FormModal } from '#ui/form-modal.tsx';
import { useContractForm } from '#ui/use-contract-form.ts';

interface Props {
  locationId: string;
  onClose: () => void;
}

/** Invites an administrator by e-mail. */
export function InviteForm(props: Props) {
  const roles = useRoles(props.locationId);
  // The initial values depend on the roles.
  if (roles.isPending) return null;
  return <Form {...props} roles={roles.data?.data ?? []} />;
}

type Values = GrantValues & { email: string; first_name: string; last_name: string };

function Form({ locationId, roles, onClose }: Props & { roles: readonly Role[] }) {
  const { t } = useTranslation('team');
  const invite = useInvite(locationId);
  const own = useOwnPermissions(locationId);
  const form = useContractForm<typeof newInvitation, Values>({
    schema: async () => (await import('#features/team/team-schemas.ts')).newInvitation,
    initial: { email: '', first_name: '', last_name: '', ...firstGrant(own) },
    toInput: values => ({
      ...values,
      first_name: values.first_name.trim() || undefined,
      last_name: values.last_name.trim() || undefined,
    }),
    submit: async values => {
      await invite.mutateAsync(values);
      onClose();
    },
  });
  const { getInputProps, values, errors, setValues } = form.form;
  return (
    <FormModal
      title={t('add')}
      form={form}
      size={620}
      submitLabel={t('send')}
      pending={invite.isPending}
      onClose={onClose}
    >
      <TextInput
        type="email"
        label={t('email')}
        description={t('emailHelp')}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        withAsterisk
        autoComplete="off"
        data-autofocus
        {...getInputProps('email')}
      />
      <div className={layout.two}>
        <TextInput label={t('firstName')} autoComplete="off" {...getInputProps('first_name')} />
        <TextInput label={t('lastName')} autoComplete="off" {...getInputProps('last_name')} />
      </div>
      <GrantFields
        locationId={locationId}
        roles={roles}
        own={own}
        values={values}
        errors={errors}
        onChange={setValues}
      />
    </FormModal>
  );
}
