import { keepPreviousData, type QueryFunction, useQuery } from '@tanstack/react-query';

interface ListOptions<Data> {
  queryKey: readonly unknown[];
  queryFn: QueryFunction<Data, never>;
  refetchInterval?: number;
  enabled?: boolean;
}

/** A page of a list. The previous page stays visible, dimmed, until the next one has loaded. */
export const useList = <Data>(options: ListOptions<Data>) =>
  useQuery<Data>({ ...(options as object), queryKey: options.queryKey, placeholderData: keepPreviousData });
