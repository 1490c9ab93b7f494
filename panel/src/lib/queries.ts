import { MutationCache, QueryCache, QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import i18next from 'i18next';
import { ApiError } from '#lib/client.ts';
import { refreshUser } from '#lib/guard.ts';
import { toastError, toastSuccess, toastUndo } from '#lib/toast.ts';
import { meQuery } from '#lib/user.ts';

/**
 * One toast for any error: the field messages as a list, else the message, else that the server is unreachable. `first`
 * stands before the message.
 */
export function reportError(error: unknown, first?: string): void {
  const ours = error instanceof ApiError ? error : undefined;
  if (ours?.status === 401) return;
  const text = ours?.message ?? i18next.t('error.unreachable', { ns: 'common' });
  const fields = Object.values(ours?.errors ?? {}).flat();
  if (first) toastError(text, [first, ...(fields.length > 0 ? fields : [text])]);
  else toastError(text, fields);
}

const mayRetry = (failures: number, error: Error) => failures < 2 && !(error instanceof ApiError && error.status < 500);

export function makeQueryClient(): QueryClient {
  // The user has fewer rights than the screen believes, so the menu and the buttons are out of date.
  const refused = (error: unknown) => {
    if (error instanceof ApiError && error.status === 403) void refreshUser(queries);
  };
  const queries = new QueryClient({
    defaultOptions: {
      queries: { staleTime: 15_000, retry: mayRetry, retryDelay: failures => 500 * 2 ** failures },
      // A change fails at once when the server cannot be reached. It is not made later, when the user may have moved on.
      mutations: { networkMode: 'always' },
    },
    queryCache: new QueryCache({
      onError: (error, query) => {
        // A failed first load is reported on the screen; a failed refresh of shown data by a toast. The banner says
        // that the server cannot be reached.
        if (query.state.data !== undefined && error instanceof ApiError) reportError(error);
        if (query.queryKey[0] !== meQuery.queryKey[0]) refused(error);
      },
    }),
    mutationCache: new MutationCache({
      onError: error => {
        reportError(error);
        refused(error);
      },
    }),
  });
  return queries;
}

interface Change<In, Out> {
  send: (input: In) => Promise<Out>;
  /** The endpoints whose queries are refetched. */
  refresh: readonly { readonly path: string }[];
  /** The text of the toast; without it there is none. */
  done?: string | ((answer: Out) => string);
  /** Takes the change back. The toast offers it for ten seconds. */
  undo?: (input: In, answer: Out) => Promise<unknown>;
  /** A name by which other parts of the screen see that the change is running. */
  key?: string;
}

const warningsOf = (answer: unknown): readonly string[] =>
  (answer as { warnings?: readonly string[] } | undefined)?.warnings ?? [];

/** Whether the selected rows were refused: one of them was deleted meanwhile, or is out of reach. */
export const isOfSelection = (error: unknown): boolean =>
  error instanceof ApiError && error.status === 422 && 'ids' in error.errors;

const isOutOfDate = (error: unknown): boolean =>
  (error instanceof ApiError && error.status === 409) || isOfSelection(error);

/**
 * A mutation that refetches the changed data and shows a toast, with the warnings of the answer. The mutation cache
 * reports errors.
 */
export function useChange<In, Out>({ send, refresh, done, undo, key }: Change<In, Out>) {
  const queries = useQueryClient();
  const refetch = () => {
    for (const endpoint of refresh) void queries.invalidateQueries({ queryKey: [endpoint.path] });
  };
  return useMutation({
    mutationFn: send,
    ...(key && { mutationKey: [key] }),
    // The screen is out of date.
    onError: error => isOutOfDate(error) && refetch(),
    onSuccess: (answer, input) => {
      refetch();
      const text = typeof done === 'function' ? done(answer) : done;
      const onUndone = () => {
        refetch();
        toastSuccess(i18next.t('undone', { ns: 'common' }));
      };
      const warnings = warningsOf(answer);
      const onRefused = (error: unknown) => {
        refetch();
        // The reason alone could be taken for an error of the screen.
        reportError(error, i18next.t('notUndone', { ns: 'common' }));
      };
      if (text && undo) toastUndo(text, warnings, () => void undo(input, answer).then(onUndone, onRefused));
      else if (text) toastSuccess(text, warnings);
    },
  });
}
