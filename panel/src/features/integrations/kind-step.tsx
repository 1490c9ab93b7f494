import { Button, Group } from '@mantine/core';
import { type PmsSlug, pmsSlugs } from '@portico/contract/integrations.ts';
import { useTranslation } from 'react-i18next';
import { useKinds } from '#features/integrations/integrations.api.ts';
import classes from '#features/integrations/integrations.module.css';
import { FormSkeleton } from '#ui/form-skeleton.tsx';
import { LoadError } from '#ui/load-error.tsx';
import modal from '#ui/modal.module.css';

interface Kind {
  slug: PmsSlug;
  port: number;
  name: string;
}

interface Props {
  chosen: PmsSlug | undefined;
  onChoose: (kind: Kind) => void;
  onCancel: () => void;
  onNext: () => void;
}

export function KindStep({ chosen, onChoose, onCancel, onNext }: Props) {
  const { t } = useTranslation(['integrations', 'common']);
  const query = useKinds();
  const kinds = (query.data?.data ?? []).flatMap(kind => {
    const slug = pmsSlugs.find(each => each === kind.slug);
    return slug ? [{ ...kind, slug }] : [];
  });
  return (
    <>
      {query.error && !query.data && <LoadError error={query.error} onRetry={() => void query.refetch()} />}
      {query.isPending && <FormSkeleton fields={2} />}
      {query.data && (
        <fieldset className={classes.kinds}>
          <legend className="mantine-InputWrapper-label">{t('chooseKind')}</legend>
          {kinds.map((kind, i) => (
            <label key={kind.id}>
              <input
                type="radio"
                name="kind"
                value={kind.slug}
                checked={kind.slug === chosen}
                onChange={() => onChoose(kind)}
                data-autofocus={i === 0 || undefined}
              />
              <img src={kind.logo} alt="" width={36} height={36} />
              {kind.name}
            </label>
          ))}
        </fieldset>
      )}
      <Group justify="flex-end" gap={8} className={modal.foot ?? ''}>
        <Button variant="default" onClick={onCancel}>
          {t('common:cancel')}
        </Button>
        <Button disabled={!chosen} onClick={onNext}>
          {t('common:next')}
        </Button>
      </Group>
    </>
  );
}
