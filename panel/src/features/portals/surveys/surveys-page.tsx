import { Button } from '@mantine/core';
import type { Survey } from '@portico/contract/surveys.ts';
import { IconChartBar, IconChevronDown, IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useEditor } from '#features/portals/editor/editor-context.ts';
import { countMissing, missingSummary } from '#features/portals/fields/portal-languages.ts';
import classes from '#features/portals/items/items.module.css';
import { isOnlyInDraft, useDeleteItem } from '#features/portals/items/portal-items.api.ts';
import { surveyTexts } from '#features/portals/surveys/survey-texts.ts';
import { lazyPart } from '#lib/lazy-part.tsx';
import { useListSearch } from '#lib/search.ts';
import { EmptyState } from '#ui/empty-state.tsx';
import { Tag } from '#ui/tag.tsx';

const SurveyEditor = lazyPart(() => import('#features/portals/surveys/survey-editor.tsx'), 'SurveyEditor', 'in-place');
const Confirm = lazyPart(() => import('#ui/confirm.tsx'), 'Confirm');
const SurveyResults = lazyPart(() => import('#features/portals/surveys/survey-results.tsx'), 'SurveyResults');
const ConfirmDelete = lazyPart(() => import('#ui/confirm-delete.tsx'), 'ConfirmDelete');

/** The id of the open card; `new` for one that is not saved yet. */
type Open = string | undefined;

export function SurveysPage() {
  const { t } = useTranslation(['portal-editor', 'common', 'unsaved']);
  const { portal, readOnly, itemsToDraft } = useEditor();
  const remove = useDeleteItem('survey');
  const [open, setOpen] = useState<Open>();
  const [dirty, setDirty] = useState(false);
  /** The card to open once the user agrees to lose unsaved changes. */
  const [asking, setAsking] = useState<{ to: Open }>();
  const [deleting, setDeleting] = useState<Survey>();
  const [{ results }, change] = useListSearch();
  const surveys = portal.surveys;
  const shown = surveys.find(survey => survey.id === results);

  const go = (to: Open) => {
    setDirty(false);
    setAsking(undefined);
    setOpen(to);
  };
  const ask = (to: Open) => (dirty ? setAsking({ to }) : go(to));
  const add = !readOnly && (
    <Button leftSection={<IconPlus size={16} />} onClick={() => ask('new')} disabled={open === 'new'}>
      {t('survey.add')}
    </Button>
  );
  const inUse = deleting && portal.redirect_rules.some(rule => rule.survey_id === deleting.id);
  const askWords = inUse && t(itemsToDraft ? 'survey.deleteUsedDraft' : 'survey.deleteUsed', { name: deleting.name });

  if (surveys.length === 0 && open !== 'new')
    return (
      <div className={classes.empty}>
        <EmptyState drawing="page" title={t('survey.emptyTitle')} text={t('survey.emptyText')}>
          {add}
        </EmptyState>
      </div>
    );
  return (
    <div className={classes.items}>
      <div className={classes.top}>
        <p>{t('survey.help')}</p>
        {add}
      </div>
      {open === 'new' && (
        <section className={classes.card} data-open aria-label={t('survey.add')}>
          <div className={classes.cardBody}>
            <SurveyEditor onDirty={setDirty} onSaved={() => go(undefined)} onCancel={() => go(undefined)} />
          </div>
        </section>
      )}
      {surveys.map(survey => {
        const isOpen = open === survey.id;
        const missing = countMissing(surveyTexts(survey), portal.page.languages);
        return (
          <section key={survey.id} className={classes.card} data-open={isOpen || undefined} aria-label={survey.name}>
            <button
              type="button"
              className={classes.cardHead}
              aria-expanded={isOpen}
              onClick={() => ask(isOpen ? undefined : survey.id)}
            >
              <b>{survey.name}</b>
              <span>{t('survey.questions', { count: survey.questions.length })}</span>
              {missing.size > 0 && (
                <Tag tone="warn">
                  {t('missing')}: {missingSummary(missing)}
                </Tag>
              )}
              <IconChevronDown size={16} aria-hidden />
            </button>
            {isOpen && (
              <div className={classes.cardBody}>
                {!isOnlyInDraft(portal, survey) && (
                  <Button
                    className={classes.results ?? ''}
                    variant="default"
                    leftSection={<IconChartBar size={16} aria-hidden />}
                    onClick={() => change({ results: survey.id })}
                  >
                    {t('survey.results')}
                  </Button>
                )}
                <SurveyEditor
                  survey={survey}
                  onDirty={setDirty}
                  onSaved={() => go(undefined)}
                  onCancel={() => go(undefined)}
                  onDelete={() => setDeleting(survey)}
                />
              </div>
            )}
          </section>
        );
      })}
      {shown && <SurveyResults survey={shown} onClose={() => change({ results: undefined })} />}
      {asking && (
        <Confirm
          opened
          title={t('unsaved:title')}
          text={t('unsaved:text')}
          confirm={t('unsaved:leave')}
          cancel={t('unsaved:stay')}
          danger
          onConfirm={() => go(asking.to)}
          onClose={() => setAsking(undefined)}
        />
      )}
      {deleting && (
        <ConfirmDelete
          name={deleting.name}
          text={askWords || (itemsToDraft ? t('draft.deleteText', { name: deleting.name }) : undefined)}
          pending={remove.isPending}
          onConfirm={() =>
            remove.mutate(deleting, {
              onSuccess: () => {
                setDeleting(undefined);
                go(undefined);
              },
            })
          }
          onClose={() => setDeleting(undefined)}
        />
      )}
    </div>
  );
}
