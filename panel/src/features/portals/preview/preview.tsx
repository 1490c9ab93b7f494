import { ActionIcon, Button, NativeSelect } from '@mantine/core';
import type { ProviderSlug } from '@portico/contract/portal-providers.ts';
import { IconDeviceDesktop, IconDeviceMobile, IconMoon, IconX } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useEditor } from '#features/portals/editor/editor-context.ts';
import { LanguageTabs } from '#features/portals/fields/language-tabs.tsx';
import classes from '#features/portals/preview/preview.module.css';
import type { PreviewFrame, PreviewViewName } from '#features/portals/preview/use-preview-frame.ts';

interface Props {
  frame: PreviewFrame;
  page: string;
  onPage: (page: string) => void;
  shown: boolean;
  onHide: () => void;
}

const providerSlugs: readonly ProviderSlug[] = [
  'citizen-id',
  'room-number',
  'sms',
  'username',
  'temp',
  'email',
  'voucher',
];
const otherPages = ['code', 'error', 'buy', 'confirm', 'survey', 'online', 'over', 'blocked'] as const;

/** A page of the list; `sign-in/sms` is the sign-in page with that method open. */
function viewOf(name: string, dark: boolean): PreviewViewName {
  const page = otherPages.find(it => it === name);
  if (page) return { page, dark };
  const method = providerSlugs.find(it => name === `sign-in/${it}`);
  return { page: 'sign-in', dark, ...(method && { method }) };
}

/** The portal as guests would see it with the values of the form. It offers the pages that guests of this portal can see. */
export function Preview({ frame, page, onPage, shown, onHide }: Props) {
  const { t } = useTranslation(['portal-editor', 'common']);
  const { portal, language, setLanguage } = useEditor();
  const [device, setDevice] = useState<'phone' | 'desktop'>('phone');
  const [dark, setDark] = useState(false);
  const { setView } = frame;
  const methods = portal.providers.filter(it => it.is_active).map(it => it.slug);
  const others = otherPages.filter(
    it =>
      (it !== 'code' || methods.includes('sms')) &&
      (it !== 'survey' || portal.surveys.length > 0) &&
      ((it !== 'buy' && it !== 'confirm') || frame.sells),
  );
  const pages = ['sign-in', ...methods.map(slug => `sign-in/${slug}`), ...others];
  const seen = pages.includes(page) ? page : 'sign-in';
  useEffect(() => setView(viewOf(seen, dark)), [setView, seen, dark]);
  useEffect(() => {
    if (!shown) return;
    const onEscape = (event: KeyboardEvent) => event.key === 'Escape' && onHide();
    addEventListener('keydown', onEscape);
    return () => removeEventListener('keydown', onEscape);
  }, [shown, onHide]);
  return (
    <aside className={classes.preview} data-shown={shown || undefined} aria-label={t('preview.title')}>
      <div className={classes.bar}>
        <LanguageTabs value={language} onChange={setLanguage} label={t('preview.language')} />
        <span className={classes.devices}>
          {(['phone', 'desktop'] as const).map(kind => {
            const Icon = kind === 'phone' ? IconDeviceMobile : IconDeviceDesktop;
            const words = t(`preview.${kind}`);
            return (
              <ActionIcon
                key={kind}
                variant="subtle"
                color="gray"
                size={32}
                aria-label={words}
                title={words}
                aria-pressed={device === kind}
                onClick={() => setDevice(kind)}
              >
                <Icon size={18} aria-hidden />
              </ActionIcon>
            );
          })}
          <ActionIcon
            variant="subtle"
            color="gray"
            size={32}
            aria-label={t('preview.dark')}
            title={t('preview.dark')}
            aria-pressed={dark}
            onClick={() => setDark(!dark)}
          >
            <IconMoon size={18} aria-hidden />
          </ActionIcon>
          <ActionIcon
            className={classes.close ?? ''}
            variant="subtle"
            color="gray"
            size={32}
            aria-label={t('common:close')}
            onClick={onHide}
          >
            <IconX size={18} aria-hidden />
          </ActionIcon>
        </span>
      </div>
      <NativeSelect
        aria-label={t('preview.page')}
        data={[
          { value: 'sign-in', label: t('preview.pages.sign-in') },
          ...methods.map(slug => ({
            value: `sign-in/${slug}`,
            label: `${t('preview.pages.sign-in')}: ${t(`method.${slug}`)}`,
          })),
          ...others.map(value => ({ value, label: t(`preview.pages.${value}`) })),
        ]}
        value={seen}
        onChange={event => onPage(event.currentTarget.value)}
      />
      <div className={classes.stage} data-device={device}>
        <iframe
          key={frame.attempt}
          ref={frame.ref}
          src={frame.src}
          title={t('preview.title')}
          // oxlint-disable-next-line react/iframe-missing-sandbox -- the guests' origin is another: this opens nothing of the panel
          sandbox="allow-scripts allow-same-origin"
          data-ready={frame.state === 'ready' || undefined}
        />
        {frame.state === 'loading' && <p role="status">{t('common:loading')}</p>}
        {frame.state === 'away' && (
          <div className={classes.away} role="alert">
            <p>{t('preview.away', { host: frame.host })}</p>
            <Button variant="default" onClick={frame.retry}>
              {t('common:retry')}
            </Button>
          </div>
        )}
      </div>
    </aside>
  );
}
