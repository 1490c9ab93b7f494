import { ActionIcon } from '@mantine/core';
import { languageName } from '@portico/contract/portal-languages.ts';
import type { Rule } from '@portico/contract/rules.ts';
import { IconPencil, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useEditor } from '#features/portals/editor/editor-context.ts';
import classes from '#features/portals/items/items.module.css';
import { useDeleteItem, useOrderRules } from '#features/portals/items/portal-items.api.ts';
import { lazyPart } from '#lib/lazy-part.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { AddButton, ListDialogs, useListPage } from '#ui/list-page.tsx';
import { moved, SortableList } from '#ui/sortable-list.tsx';
import { Tag } from '#ui/tag.tsx';

const RuleEditor = lazyPart(() => import('#features/portals/rules/rule-editor.tsx'), 'RuleEditor');

export function RulesPage() {
  const { t } = useTranslation(['portal-editor', 'common']);
  const { portal, readOnly, itemsToDraft } = useEditor();
  const order = useOrderRules();
  const remove = useDeleteItem('rule');
  const list = useListPage<Rule>();
  // Shows the new order at once, until the server's answer arrives.
  const [placed, setPlaced] = useState<{ of: readonly Rule[]; rules: readonly Rule[] }>();
  const rules = placed?.of === portal.redirect_rules ? placed.rules : portal.redirect_rules;
  const move = (from: number, to: number) => {
    const next = moved(rules, from, to);
    setPlaced({ of: portal.redirect_rules, rules: next });
    order.mutate(next, { onError: () => setPlaced(undefined) });
  };
  const targetOf = (rule: Rule) =>
    rule.action === 'redirect_to_url'
      ? [rule.url, ...Object.values(rule.urls)].filter(Boolean).join(', ')
      : (portal.surveys.find(survey => survey.id === rule.survey_id)?.name ?? t('rule.surveyGone'));
  const nameOf = (rule: Rule) => `${t(`state.${rule.state}`)} → ${targetOf(rule)}`;
  const add = !readOnly && <AddButton label={t('rule.add')} onClick={list.add} />;
  return (
    <div className={classes.items}>
      {rules.length === 0 ? (
        <div className={classes.empty}>
          <EmptyState drawing="page" title={t('rule.emptyTitle')} text={t('rule.emptyText')}>
            {add}
          </EmptyState>
        </div>
      ) : (
        <>
          <div className={classes.top}>
            <p>{t('rule.help')}</p>
            {add}
          </div>
          <SortableList
            label={t('tab.rules')}
            items={rules}
            keyOf={rule => rule.id}
            nameOf={nameOf}
            onMove={move}
            disabled={readOnly || order.isPending}
          >
            {(rule, index, handle) => (
              <div className={classes.rule}>
                {handle}
                <span className={classes.rulePlace}>{index + 1}.</span>
                <div className={classes.ruleWords}>
                  <p>
                    <b>{t(`state.${rule.state}`)}</b>
                    <Tag>{rule.language ? languageName(rule.language) : t('rule.anyLanguage')}</Tag>
                  </p>
                  <p>
                    {t(`action.${rule.action}`)}: {targetOf(rule)}
                  </p>
                </div>
                {!readOnly && (
                  <span className={classes.buttons}>
                    <ActionIcon
                      variant="subtle"
                      color="gray"
                      size={32}
                      aria-label={`${t('common:edit')}: ${nameOf(rule)}`}
                      onClick={() => list.edit(rule)}
                    >
                      <IconPencil size={16} aria-hidden />
                    </ActionIcon>
                    <ActionIcon
                      variant="subtle"
                      color="gray"
                      size={32}
                      aria-label={`${t('common:delete')}: ${nameOf(rule)}`}
                      onClick={() => list.remove(rule)}
                    >
                      <IconTrash size={16} aria-hidden />
                    </ActionIcon>
                  </span>
                )}
              </div>
            )}
          </SortableList>
        </>
      )}
      <ListDialogs
        list={list}
        rowName={nameOf}
        form={(rule, close) => <RuleEditor portal={portal} {...(rule && { rule })} onClose={close} />}
        deletion={{
          mutation: remove,
          text: rule => (itemsToDraft ? t('draft.deleteText', { name: nameOf(rule) }) : undefined),
        }}
      />
    </div>
  );
}
