import type { TemplateName } from '@portico/contract/portal-templates.ts';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { previewAddress } from '#features/portals/portals.api.ts';
import classes from '#features/portals/templates/template-gallery.module.css';
import { language } from '#lib/language.ts';

const names = [
  'hotel',
  'cafe',
  'hospital',
  'airport',
  'campus',
  'event',
  'minimal',
  'festive',
] as const satisfies readonly TemplateName[];

interface Props {
  /** The portal whose sign-in methods the previews show. */
  portalId: string;
  value: TemplateName | null;
  onChange: (template: TemplateName | null) => void;
  /** Offers to start without a template. */
  blank?: boolean;
}

/** The templates, each as the page that guests would see. */
export function TemplateGallery({ portalId, value, onChange, blank = false }: Props) {
  const { t } = useTranslation('portal-editor');
  const group = useId();
  return (
    <fieldset className={classes.gallery}>
      <legend>{t('template.title')}</legend>
      {[...(blank ? [null] : []), ...names].map(name => (
        <label key={name ?? ''}>
          <input
            type="radio"
            name={group}
            value={name ?? ''}
            checked={value === name}
            onChange={() => onChange(name)}
          />
          <span className={classes.page} inert>
            <iframe
              src={`${previewAddress(portalId)}&lang=${language()}${name ? `&template=${name}` : ''}`}
              title={t(`template.${name ?? 'blank'}`)}
              loading="lazy"
              // oxlint-disable-next-line react/iframe-missing-sandbox -- the guests' origin is another: this opens nothing of the panel
              sandbox="allow-scripts allow-same-origin"
            />
          </span>
          <b>{t(`template.${name ?? 'blank'}`)}</b>
        </label>
      ))}
    </fieldset>
  );
}
