import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { api } from '#lib/api.ts';
import { ApiError, call } from '#lib/client.ts';

const pauseMs = 600;

/** The first mistake in custom CSS, in the user's language; undefined without one, and while the user is typing. */
export function useCssProblem(typed: string): string | undefined {
  const css = typed.trim();
  const [still] = useDebouncedValue(css, pauseMs);
  const { data } = useQuery({
    queryKey: ['portal-css', still],
    queryFn: () => check(still),
    enabled: still !== '',
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (still === css && css && data) || undefined;
}

/** Only a mistake is told: without an answer, the save checks the CSS. */
async function check(custom_css: string): Promise<string | null> {
  try {
    await call(api.portals.checkCss, { body: { styles: { custom_css } } });
  } catch (error) {
    if (error instanceof ApiError && error.status === 422) return error.errors['styles.custom_css']?.[0] ?? null;
  }
  return null;
}
