import { invalid } from '#http/app-error.ts';

/** A record stays in its location, which a form may send along. To ignore another one would look like a move. */
export function requireSameLocation(
  sent: string | null | undefined,
  { location_id }: { readonly location_id: string | null },
): void {
  if (sent && sent !== location_id) throw invalid({ location_id: 'stays_in_location' });
}
