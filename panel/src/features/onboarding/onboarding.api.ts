import type { PortalForm } from '@portico/contract/portals.ts';
import type { ProfileForm } from '@portico/contract/profiles.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '#lib/api.ts';
import { call, queryOf } from '#lib/client.ts';
import { useChange } from '#lib/queries.ts';
import { meQuery } from '#lib/user.ts';
import { useWorkingLocation } from '#lib/working-location.ts';

/** The location of the setup. */
export function useOwnLocation() {
  const id = useWorkingLocation();
  return useQuery({ ...queryOf(api.locations.get, { params: { id: id ?? '' } }), enabled: id !== null });
}

/** The only device of a location. A resumed setup continues with it instead of creating a second one. */
export function useOnlyDevice(locationId: string, wanted: boolean): string | undefined {
  const query = { location_id: locationId, per_page: 1 };
  const { data } = useQuery({ ...queryOf(api.devices.list, { query }), enabled: wanted });
  return wanted && data?.meta.total === 1 ? data.data[0]?.id : undefined;
}

/** Creates the location's first portal. The next screen needs the location and the user with it. */
export function useFirstPortal(locationId: string) {
  const queries = useQueryClient();
  return useChange({
    send: async (form: PortalForm) => {
      const { name = '', ...content } = form;
      await call(api.portals.create, { body: { ...content, name, location_id: locationId } });
      await Promise.all([
        queries.invalidateQueries({ queryKey: [api.locations.get.path] }),
        // The guard sends a user without portals back to the setup.
        queries.fetchQuery({ ...meQuery, staleTime: 0 }),
      ]);
    },
    refresh: [api.portals.list, api.locations.list],
  });
}

export const useUpdateProfile = () =>
  useChange({
    send: ({ id, ...body }: Omit<ProfileForm, 'location_id'> & { id: string }) =>
      call(api.profiles.update, { params: { id }, body }),
    refresh: [api.profiles.list],
  });

/** Begins to pay a licence, and leads to the page of the payment provider. */
export const usePayLicence = (id: string) =>
  useChange({
    send: async (it: { year: 1 | 2 | 3; expected_end_at: string | null }) => {
      const { data } = await call(api.licencePayments.pay, { params: { id }, body: it });
      window.location.assign(data.url);
    },
    // After a conflict: another end of the licence, or another price.
    refresh: [api.locations.get, api.licencePayments.offer],
  });

export const useRequestLicence = (id: string) =>
  useChange({
    send: (year: 1 | 2 | 3) => call(api.licences.request, { params: { id }, body: { year } }),
    refresh: [],
  });
