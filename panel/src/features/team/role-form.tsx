import { TextInput } from '@mantine/core';
import { type Permission, permissionKeys, permissions } from '@portico/contract/permissions.ts';
import type { TeamRole } from '@portico/contract/roles.ts';
import { useTranslation } from 'react-i18next';
import { PermissionGrid } from '#features/team/permission-grid.tsx';
import { useSaveRole } from '#features/team/roles.api.ts';
import classes from '#features/team/team.module.css';
import type { newRole } from '#features/team/team-schemas.ts';
import { FormModal } from '#ui/form-modal.tsx';
import { useContractForm } from '#ui/use-contract-form.ts';

interface Props {
  /** The location of the role; undefined for a role of the whole tenant. */
  at: string | undefined;
  role: TeamRole | undefined;
  own: readonly string[];
  onClose: () => void;
}

type Values = { name: string; permissions: Permission[] };

/** The permissions of a role and, where it was created, its name. */
export function RoleForm({ at, role, own, onClose }: Props) {
  const { t } = useTranslation('team');
  const save = useSaveRole(at, role);
  const named = !role || role.kind === (at === undefined ? 'tenant' : 'location');
  const before = role ? permissionKeys(role.permissions) : [];
  const form = useContractForm<typeof newRole, Values>({
    schema: async () => (await import('#features/team/team-schemas.ts')).newRole,
    initial: { name: role?.name ?? '', permissions: before },
    submit: async values => {
      await save.mutateAsync(values);
      onClose();
    },
  });
  const { getInputProps, values, errors, setValues } = form.form;
  return (
    <FormModal
      title={t(role ? 'roles.editTitle' : 'roles.add')}
      form={form}
      size={620}
      pending={save.isPending}
      onClose={onClose}
    >
      {named ? (
        <TextInput label={t('roles.name')} withAsterisk autoComplete="off" data-autofocus {...getInputProps('name')} />
      ) : (
        <p className={classes.person}>
          <strong>{role.name}</strong>
          <span>{t(at === undefined ? 'roles.forEveryone' : 'roles.forHere')}</span>
        </p>
      )}
      <PermissionGrid
        held={values.permissions}
        own={permissions.filter(key => own.includes(key) || before.includes(key))}
        onChange={next => setValues({ permissions: next })}
        error={errors.permissions}
      />
      {role && role.members > 0 && <p className={classes.note}>{t('roles.keep', { count: role.members })}</p>}
    </FormModal>
  );
}
