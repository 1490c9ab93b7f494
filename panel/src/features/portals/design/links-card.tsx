import { ActionIcon, Button, NativeSelect, TextInput } from '@mantine/core';
import type { LinkKind, PortalLink } from '@portico/contract/portal-page.ts';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { GeneralForm } from '#features/portals/design/general-values.ts';
import classes from '#features/portals/design/links-card.module.css';
import { useEditor } from '#features/portals/editor/editor-context.ts';
import { Card } from '#ui/card.tsx';
import layout from '#ui/form-layout.module.css';

const names: Readonly<Record<Exclude<LinkKind, 'website' | 'map'>, string>> = {
  instagram: 'Instagram',
  facebook: 'Facebook',
  x: 'X',
  youtube: 'YouTube',
  tiktok: 'TikTok',
  whatsapp: 'WhatsApp',
  linkedin: 'LinkedIn',
  tripadvisor: 'Tripadvisor',
};
const kinds = ['website', 'map', ...Object.keys(names)] as LinkKind[];

/** The venue's links, which guests see once they are online. */
export function LinksCard({ form }: { form: GeneralForm }) {
  const { t } = useTranslation(['portal-editor', 'common']);
  const { readOnly } = useEditor();
  const { links } = form.values.page;
  const change = (next: PortalLink[]) => form.setFieldValue('page.links', next);
  const nameOf = (kind: LinkKind) => (kind === 'website' || kind === 'map' ? t(`link.${kind}`) : names[kind]);
  const unused = kinds.find(kind => links.every(it => it.kind !== kind));
  return (
    <Card title={t('links')} description={t('linksHelp')}>
      <div className={layout.fields}>
        {links.map((link, i) => (
          <div key={i} className={classes.link}>
            <NativeSelect
              aria-label={t('link.kind')}
              data={kinds.map(value => ({ value, label: nameOf(value) }))}
              {...form.getInputProps(`page.links.${i}.kind`)}
            />
            <TextInput
              aria-label={t('link.url', { name: nameOf(link.kind) })}
              type="url"
              inputMode="url"
              placeholder="https://"
              maxLength={500}
              {...form.getInputProps(`page.links.${i}.url`)}
            />
            <ActionIcon
              variant="subtle"
              color="gray"
              size={36}
              aria-label={`${t('common:delete')}: ${nameOf(link.kind)}`}
              onClick={() => change(links.filter((_, at) => at !== i))}
            >
              <IconTrash size={16} aria-hidden />
            </ActionIcon>
          </div>
        ))}
        {!readOnly && unused && (
          <Button
            variant="default"
            className={classes.add ?? ''}
            leftSection={<IconPlus size={16} aria-hidden />}
            onClick={() => change([...links, { kind: unused, url: '' }])}
          >
            {t('link.add')}
          </Button>
        )}
      </div>
    </Card>
  );
}
