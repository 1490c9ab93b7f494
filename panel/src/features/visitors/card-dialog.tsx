import { CardsDialog } from '#features/visitors/cards-dialog.tsx';
import { useVisitor } from '#features/visitors/visitors.api.ts';
import { formatDateTime } from '#lib/format.ts';

/** The card of one visitor. Loads the password. */
export function CardDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const visitor = useVisitor(id).data?.data;
  if (!visitor?.password || !visitor.sign_in_url) return null;
  const { name, username, password, sign_in_url } = visitor;
  return (
    <CardsDialog
      people={[{ id, name, username: username ?? '', password, sign_in_url }]}
      until={visitor.session_end_at && formatDateTime(visitor.session_end_at, visitor.location.time_zone)}
      locationId={visitor.location_id}
      of={name}
      onClose={onClose}
    />
  );
}
