import type { ConnectionForm, RouterCommand } from '@portico/contract/router-control.ts';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { api } from '#lib/api.ts';
import { ApiError, call, queryOf } from '#lib/client.ts';
import { useChange } from '#lib/queries.ts';
import { type ListSearch, pagingOf } from '#lib/search.ts';
import { useList } from '#lib/use-list.ts';
import { everyMinute, useLive } from '#lib/use-live.ts';

const { control, get, list } = api.devices;
const commandsShown = 10;

/** The commands to a device's router, updated live. */
export function useCommands(id: string, search: ListSearch) {
  useLive('router-commands', control.list);
  const query = { ...pagingOf(search, commandsShown) };
  return useList({ ...queryOf(control.list, { params: { id }, query }), ...everyMinute });
}

export function useRetryCommand(id: string) {
  const { t } = useTranslation('devices');
  const send = (command: RouterCommand) => call(control.retry, { params: { id, commandId: command.id } });
  return useChange({ send, refresh: [control.list], done: t('control.again') });
}

/** The connection is saved with its device. Errors are mapped to the fields of the connection. */
const ownFields = (error: unknown): never => {
  if (!(error instanceof ApiError)) throw error;
  const errors = Object.fromEntries(
    Object.entries(error.errors).map(([field, words]) => [field.replace(/^connection\./, ''), words]),
  );
  throw new ApiError(error.status, { message: error.message, code: error.code, errors });
};

export function useSaveConnection(id: string) {
  const { t } = useTranslation('devices');
  const send = (connection: ConnectionForm | null) =>
    call(api.devices.update, { params: { id }, body: { connection } }).catch(ownFields);
  return useChange({ send, refresh: [get, list, control.list], done: t('updated') });
}

export const useTestConnection = (id: string) =>
  useMutation({ mutationFn: (body: ConnectionForm) => call(control.test, { params: { id }, body }) });

export function useForgetCertificate(id: string) {
  const { t } = useTranslation('devices');
  const send = () => call(control.forgetCertificate, { params: { id } });
  return useChange({ send, refresh: [get, control.list], done: t('control.forgotten') });
}
