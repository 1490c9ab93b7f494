import { useTranslation } from 'react-i18next';
import { ExtendDialog } from '#features/visitors/extend-dialog.tsx';
import { LoadedVisitor } from '#features/visitors/loaded-visitor.tsx';

/** Extends the access of a visitor of a list. */
export function ExtendVisitor({ visitor, onClose }: { visitor: { id: string; name: string }; onClose: () => void }) {
  const { t } = useTranslation('visitor');
  return (
    <LoadedVisitor id={visitor.id} title={t('extendTitle', { name: visitor.name })} size={440} onClose={onClose}>
      {loaded => <ExtendDialog visitor={loaded} onClose={onClose} />}
    </LoadedVisitor>
  );
}
