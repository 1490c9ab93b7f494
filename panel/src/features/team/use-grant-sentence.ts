import { type Permission, permissions, type Scope, scopes } from '@portico/contract/permissions.ts';
import { useTranslation } from 'react-i18next';

const areas = Object.keys(scopes) as Scope[];

/** Describes permissions in one sentence: `Sees statistics; sees and changes visitors and vouchers.` */
export function useGrantSentence(): (held: readonly Permission[]) => string {
  const { t, i18n } = useTranslation('team');
  const list = new Intl.ListFormat(i18n.language, { type: 'conjunction' });
  const lower = (scope: Scope) => t(`sentence.area.${scope}`);
  return held => {
    if (permissions.every(key => held.includes(key))) return t('sentence.everything');
    const keysOf = (scope: Scope) => held.filter(key => key.endsWith(`-${scope}`));
    const isChanged = (scope: Scope) => keysOf(scope).some(key => !key.startsWith('view-'));
    const changed = list.format(areas.filter(isChanged).map(lower));
    const seen = list.format(areas.filter(scope => keysOf(scope).length > 0 && !isChanged(scope)).map(lower));
    if (seen && changed) return t('sentence.both', { seen, changed });
    if (seen) return t('sentence.seen', { seen });
    return changed ? t('sentence.changed', { changed }) : t('sentence.nothing');
  };
}
