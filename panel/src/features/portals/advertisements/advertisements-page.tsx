import { ActionIcon } from '@mantine/core';
import type { Advertisement } from '@portico/contract/advertisements.ts';
import { IconPencil, IconTrash } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import classes from '#features/portals/advertisements/advertisements.module.css';
import { useEditor } from '#features/portals/editor/editor-context.ts';
import items from '#features/portals/items/items.module.css';
import { isOnlyInDraft, useDeleteItem } from '#features/portals/items/portal-items.api.ts';
import { useAdResults } from '#features/portals/items/results.api.ts';
import { formatDay, formatPercent } from '#lib/format.ts';
import { lazyPart } from '#lib/lazy-part.tsx';
import { dayIn } from '#lib/time-zone.ts';
import { useUser } from '#lib/user.ts';
import { EmptyState } from '#ui/empty-state.tsx';
import { AddButton, ListDialogs, useListPage } from '#ui/list-page.tsx';
import { Tag } from '#ui/tag.tsx';

const AdvertisementEditor = lazyPart(
  () => import('#features/portals/advertisements/advertisement-editor.tsx'),
  'AdvertisementEditor',
);
const AdViews = lazyPart(() => import('#features/portals/advertisements/ad-views.tsx'), 'AdViews', 'in-place');

export function AdvertisementsPage() {
  const { t } = useTranslation(['portal-editor', 'common']);
  const { portal, readOnly, itemsToDraft } = useEditor();
  const remove = useDeleteItem('ad');
  const list = useListPage<Advertisement>();
  const views = useAdResults(portal.id).data?.data;
  const figuresOf = (ad: Advertisement) => {
    const { views: seen = 0, clicks = 0 } = views?.find(it => it.id === ad.id) ?? {};
    const shown = t('ad.views', { count: seen });
    if (!ad.link && !clicks) return shown;
    const rate = seen ? ` (${formatPercent(clicks / seen)})` : '';
    return `${shown} · ${t('ad.clicks', { count: clicks })}${rate}`;
  };
  const ads = portal.advertisements;
  const add = !readOnly && <AddButton label={t('ad.add')} onClick={list.add} />;
  return (
    <div className={items.items}>
      {ads.length === 0 ? (
        <div className={items.empty}>
          <EmptyState drawing="page" title={t('ad.emptyTitle')} text={t('ad.emptyText')}>
            {add}
          </EmptyState>
        </div>
      ) : (
        <>
          <div className={items.top}>
            <p>{t('ad.help')}</p>
            {add}
          </div>
          <div className={classes.ads}>
            {ads.map(ad => (
              <article key={ad.id} className={classes.ad} aria-label={ad.name}>
                <div className={classes.adPicture}>
                  {ad.type === 'embed' ? <code>{frameOf(ad)}</code> : <img src={ad.images[0]} alt="" />}
                </div>
                <div className={classes.adLine}>
                  <div>
                    <b>{ad.name}</b>
                    <small>
                      {ad.type === 'image' ? t('ad.pictures', { count: ad.images.length }) : t(`ad.type.${ad.type}`)}
                      {views && !isOnlyInDraft(portal, ad) && ` · ${figuresOf(ad)}`}
                    </small>
                    <Days ad={ad} />
                  </div>
                  {!readOnly && (
                    <span className={items.buttons}>
                      <ActionIcon
                        variant="subtle"
                        color="gray"
                        size={32}
                        aria-label={`${t('common:edit')}: ${ad.name}`}
                        onClick={() => list.edit(ad)}
                      >
                        <IconPencil size={16} aria-hidden />
                      </ActionIcon>
                      <ActionIcon
                        variant="subtle"
                        color="gray"
                        size={32}
                        aria-label={`${t('common:delete')}: ${ad.name}`}
                        onClick={() => list.remove(ad)}
                      >
                        <IconTrash size={16} aria-hidden />
                      </ActionIcon>
                    </span>
                  )}
                </div>
              </article>
            ))}
          </div>
          {views?.some(it => it.views > 0) && <AdViews portalId={portal.id} results={views} />}
        </>
      )}
      <ListDialogs
        list={list}
        rowName={ad => ad.name}
        form={(ad, close) => <AdvertisementEditor portalId={portal.id} {...(ad && { ad })} onClose={close} />}
        deletion={{
          mutation: remove,
          text: ad => (itemsToDraft ? t('draft.deleteText', { name: ad.name }) : undefined),
        }}
      />
    </div>
  );
}

/** When guests see an advertisement; nothing if always. The days are those of the location. */
function Days({ ad: { starts_on: first, ends_on: last } }: { ad: Advertisement }) {
  const { t } = useTranslation('portal-editor');
  const today = dayIn(useUser().time_zone, Date.now());
  if (!first && !last) return null;
  const over = last !== null && last < today;
  const days = [first && formatDay(first), last && formatDay(last)].map(day => day ?? '…').join(' – ');
  return (
    <small>
      {days} {over && <Tag>{t('ad.over')}</Tag>}
      {first !== null && first > today && <Tag>{t('ad.planned')}</Tag>}
    </small>
  );
}

/** The host that an embed code shows. The panel's policy allows no frames of other sites, so the code is not loaded. */
const frameOf = ({ embed_code }: Advertisement): string =>
  /src="https:\/\/([^/"]+)/.exec(embed_code ?? '')?.[1] ?? '<iframe>';
