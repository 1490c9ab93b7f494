import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '#lib/api.ts';
import { call } from '#lib/client.ts';
import { closeUndo } from '#lib/toast.ts';
import { setUser } from '#lib/user.ts';

/** Makes a location the active one, or `all` of them. Every screen then shows its data. */
export function useChangeLocation() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => call(api.auth.changeTeam, { params: { id } }),
    onSuccess: ({ data }) => {
      setUser(queries, data);
      // An action at the previous location is not undone at this one.
      closeUndo();
      void queries.invalidateQueries();
    },
  });
}
