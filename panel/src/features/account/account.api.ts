import type { account } from '@portico/contract/auth.ts';
import type { personalTokenForm } from '@portico/contract/tokens.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
import { api } from '#lib/api.ts';
import { call, queryOf } from '#lib/client.ts';
import { useChange } from '#lib/queries.ts';
import { toastSuccess } from '#lib/toast.ts';
import { setUser } from '#lib/user.ts';

/** Saves the fields of one of the two pages; the response is the updated user. */
export function useUpdateAccount(done: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: z.input<typeof account>) => call(api.auth.update, { body }),
    onSuccess: ({ data }) => {
      setUser(queries, data);
      // A new password revokes the other sign-ins.
      void queries.invalidateQueries({ queryKey: [api.auth.tokens.path] });
      toastSuccess(done);
    },
  });
}

export function useSendConfirmation() {
  const { t } = useTranslation('account');
  return useChange({ send: () => call(api.auth.sendConfirmation), refresh: [], done: t('confirmationSent') });
}

export const useSignIns = () => useQuery(queryOf(api.auth.tokens));

export function useEndSignIns() {
  const { t } = useTranslation('account');
  const send = async (ids: readonly string[]) => {
    for (const id of ids) await call(api.auth.deleteToken, { params: { id } });
  };
  return useChange({ send, refresh: [api.auth.tokens], done: t('signIns.ended') });
}

export const useTokens = () => useQuery(queryOf(api.tokens.list));

export function useCreateToken() {
  const send = (body: z.output<typeof personalTokenForm>) => call(api.tokens.create, { body });
  return useChange({ send, refresh: [api.tokens.list] });
}

export function useDeleteToken() {
  const { t } = useTranslation('account');
  const send = (id: string) => call(api.tokens.delete, { params: { id } });
  return useChange({ send, refresh: [api.tokens.list], done: t('tokens.revoked') });
}

export function useBeginTwoFactor() {
  return useMutation({ mutationFn: (password: string) => call(api.auth.twoFactor, { body: { password } }) });
}

/** The user is updated only once the recovery codes are saved, because that closes the dialog. */
export function useConfirmTwoFactor() {
  return useMutation({ mutationFn: (code: string) => call(api.auth.confirmTwoFactor, { body: { code } }) });
}

/** Here too, the user is updated once the new codes are saved. */
export function useRenewRecoveryCodes() {
  return useMutation({ mutationFn: (password: string) => call(api.auth.recoveryCodes, { body: { password } }) });
}

export function useEndTwoFactor() {
  const { t } = useTranslation('account');
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (password: string) => call(api.auth.deleteTwoFactor, { body: { password } }),
    onSuccess: ({ data }) => {
      setUser(queries, data);
      toastSuccess(t('twoFactor.ended'));
    },
  });
}
