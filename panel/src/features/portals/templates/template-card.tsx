import { Button } from '@mantine/core';
import { IconTemplate } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { GeneralForm } from '#features/portals/design/general-values.ts';
import { lazyPart } from '#lib/lazy-part.tsx';
import { Card } from '#ui/card.tsx';

const TemplateDialog = lazyPart(() => import('#features/portals/templates/template-dialog.tsx'), 'TemplateDialog');

export function TemplateCard({ form }: { form: GeneralForm }) {
  const { t } = useTranslation('portal-editor');
  const [open, setOpen] = useState(false);
  return (
    <Card title={t('template.card')} description={t('template.cardHelp')}>
      <Button variant="default" leftSection={<IconTemplate size={16} aria-hidden />} onClick={() => setOpen(true)}>
        {t('template.choose')}
      </Button>
      {open && <TemplateDialog form={form} onClose={() => setOpen(false)} />}
    </Card>
  );
}
