import { startRegistration } from '@simplewebauthn/browser';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { api } from '#lib/api.ts';
import { call, queryOf } from '#lib/client.ts';
import { useChange } from '#lib/queries.ts';
import { toastSuccess } from '#lib/toast.ts';
import { setUser } from '#lib/user.ts';

export const usePasskeys = () => useQuery(queryOf(api.passkeys.list));

/** The reason why the browser created no passkey: its dialog was closed, or the device already has one. */
const problemOf = (error: Error) => (error.name === 'InvalidStateError' ? 'exists' : 'cancelled');

/** Gets options from the server, lets the browser create the passkey and stores it. */
export function useAddPasskey() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (password: string) => {
      const { data } = await call(api.passkeys.begin, { body: { password } });
      const made = await startRegistration({ optionsJSON: data }).catch(problemOf);
      if (typeof made === 'string') return made;
      const { clientDataJSON, attestationObject, transports = [] } = made.response;
      const passkey = { id: made.id, response: { clientDataJSON, attestationObject, transports } };
      return (await call(api.passkeys.create, { body: { passkey } })).data;
    },
    onSuccess: () => void queries.invalidateQueries({ queryKey: [api.passkeys.list.path] }),
  });
}

export function useRenamePasskey(id: string) {
  const { t } = useTranslation('account');
  const send = (body: { name: string }) => call(api.passkeys.update, { params: { id }, body });
  return useChange({ send, refresh: [api.passkeys.list], done: t('passkeys.renamed') });
}

export function useRemovePasskey(id: string) {
  const { t } = useTranslation('account');
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (password: string) => call(api.passkeys.delete, { params: { id }, body: { password } }),
    onSuccess: ({ data }) => {
      setUser(queries, data);
      void queries.invalidateQueries({ queryKey: [api.passkeys.list.path] });
      toastSuccess(t('passkeys.removed'));
    },
  });
}
