import { useTranslation } from 'react-i18next';
import { LoadedVisitor } from '#features/visitors/loaded-visitor.tsx';
import { VisitorForm } from '#features/visitors/visitor-form.tsx';

/** The form of a visitor. */
export function VisitorDialog({ id, onClose }: { id: string | undefined; onClose: () => void }) {
  const { t } = useTranslation('visitors');
  if (!id) return <VisitorForm visitor={undefined} onClose={onClose} />;
  return (
    <LoadedVisitor id={id} title={t('edit')} size={580} onClose={onClose}>
      {visitor => <VisitorForm visitor={visitor} onClose={onClose} />}
    </LoadedVisitor>
  );
}
