import { permissionKeys } from '@portico/contract/permissions.ts';
import type { Member } from '@portico/contract/team.ts';
import { useTranslation } from 'react-i18next';
import { type GrantValues, withBasicStats } from '#features/team/grant.ts';
import { GrantFields } from '#features/team/grant-fields.tsx';
import { useRoles } from '#features/team/roles.api.ts';
import { useUpdateMember } from '#features/team/team.api.ts';
import classes from '#features/team/team.module.css';
import type { memberGrant } from '#features/team/team-schemas.ts';
import { useOwnPermissions } from '#features/team/use-own-permissions.ts';
import { FormModal } from '#ui/form-modal.tsx';
import { useContractForm } from '#ui/use-contract-form.ts';

interface Props {
  locationId: string;
  member: Member;
  onClose: () => void;
}

/** The permissions of an administrator of the location. */
export function MemberForm({ locationId, member, onClose }: Props) {
  const { t } = useTranslation('team');
  const update = useUpdateMember(locationId, member);
  const own = useOwnPermissions(locationId);
  const roles = useRoles(locationId).data?.data ?? [];
  const form = useContractForm<typeof memberGrant, GrantValues>({
    schema: async () => (await import('#features/team/team-schemas.ts')).memberGrant,
    initial: {
      permissions: withBasicStats(permissionKeys(member.permissions), own),
      roleIds: member.roles.map(role => role.id),
      deviceIds: member.deviceIds,
    },
    submit: async values => {
      await update.mutateAsync(values);
      onClose();
    },
  });
  return (
    <FormModal title={t('editTitle')} form={form} size={620} pending={update.isPending} onClose={onClose}>
      <p className={classes.person}>
        <strong>{member.full_name || member.email}</strong>
        <span>{member.email}</span>
      </p>
      <GrantFields
        locationId={locationId}
        roles={roles}
        own={own}
        values={form.form.values}
        errors={form.form.errors}
        onChange={form.form.setValues}
        basicStats
      />
    </FormModal>
  );
}
