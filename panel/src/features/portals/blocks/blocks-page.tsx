import { Button, SegmentedControl } from '@mantine/core';
import { type BlockKind, type BlockList, blockKinds, blockLists, maxBlocks } from '@portico/contract/block-kinds.ts';
import type { PortalBlock } from '@portico/contract/portal-blocks.ts';
import type { PortalLanguage } from '@portico/contract/portal-languages.ts';
import { IconPlus } from '@tabler/icons-react';
import { useEffect, useLayoutEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { BlockCard } from '#features/portals/blocks/block-card.tsx';
import {
  type BlocksForm,
  type BlockValues,
  blockWords,
  newBlock,
  textsOf,
  wholeBlocks,
} from '#features/portals/blocks/block-values.ts';
import classes from '#features/portals/blocks/blocks.module.css';
import { DraftBar } from '#features/portals/editor/draft-bar.tsx';
import { useEditor, useMine, usePreviewValues } from '#features/portals/editor/editor-context.ts';
import { useSavePortal } from '#features/portals/editor/use-save-portal.ts';
import { useUndo } from '#features/portals/editor/use-undo.ts';
import fields from '#features/portals/fields/fields.module.css';
import { LanguageTabs } from '#features/portals/fields/language-tabs.tsx';
import { countMissing, languagesOf } from '#features/portals/fields/portal-languages.ts';
import { Card } from '#ui/card.tsx';
import layout from '#ui/form-layout.module.css';
import { moved, SortableList } from '#ui/sortable-list.tsx';
import { useContractForm } from '#ui/use-contract-form.ts';

export function BlocksPage() {
  const { formKey } = useEditor();
  return <BlocksTab key={formKey} />;
}

function BlocksTab() {
  const { portal, setPreviewPage } = useEditor();
  const { pending, send, wrapSubmit, onSaveDraft } = useSavePortal();
  const { sign_in_blocks, connected_blocks } = portal.page;
  const initial: BlockValues = { page: { sign_in_blocks, connected_blocks } };
  const { form, adoption, element } = useContractForm({
    schema: async () => (await import('#features/portals/portal-schemas.ts')).blocksPortal,
    initial,
    version: portal.updated_at,
    submit: send,
  });
  const undo = useUndo(form, adoption);
  useMine(form.values);
  usePreviewValues(
    { type: 'portico:page-changed', page: wholeBlocks(form.values.page) },
    { type: 'portico:page-changed', page: wholeBlocks(initial.page) },
  );
  const [list, setList] = useState<BlockList>('sign_in_blocks');
  useEffect(() => setPreviewPage(list === 'sign_in_blocks' ? 'sign-in' : 'online'), [setPreviewPage, list]);
  useEffect(() => () => setPreviewPage('sign-in'), [setPreviewPage]);
  return (
    <form {...element} onSubmit={wrapSubmit(element.onSubmit)}>
      <Blocks form={form} list={list} onList={setList} />
      <DraftBar dirty={form.isDirty()} pending={pending} onDiscard={form.reset} onSaveDraft={onSaveDraft} undo={undo} />
    </form>
  );
}

interface BlocksProps {
  form: BlocksForm;
  list: BlockList;
  onList: (list: BlockList) => void;
}

/** The blocks of a page, in order. */
function Blocks({ form, list, onList }: BlocksProps) {
  const { t } = useTranslation('portal-blocks');
  const { portal, readOnly, language, setLanguage } = useEditor();
  const [open, setOpen] = useState<string>();
  const blocks = form.values.page[list];
  const change = (next: PortalBlock[]) => {
    // The errors of other places would move to these blocks.
    form.clearErrors();
    form.setFieldValue(`page.${list}`, next);
  };
  const add = (kind: BlockKind) => {
    const block = newBlock(kind, portal.surveys[0]?.id ?? '');
    change([...blocks, block]);
    setOpen(block.id);
  };
  const canAdd = (kind: BlockKind) =>
    kind === 'advertisement'
      ? blocks.every(it => it.kind !== kind)
      : kind !== 'survey' || (list === 'connected_blocks' && portal.surveys.length > 0);
  const wrong = Object.keys(form.errors)[0];
  // The block with the first error must be open, in its language, before the field gets the focus.
  useLayoutEffect(() => {
    const [, name, index, ...path] = wrong?.split('.') ?? [];
    const named = blockLists.find(it => it === name);
    if (!named) return;
    onList(named);
    setOpen(form.values.page[named][Number(index)]?.id);
    const wanted = languagesOf(portal.page.own_languages).find(it => it === path.at(-1));
    if (wanted) setLanguage(wanted as PortalLanguage);
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- only a new error opens a block
  }, [wrong]);
  const nameOf = (block: PortalBlock) =>
    [t(`kind.${block.kind}`), blockWords(block, language)].filter(Boolean).join(': ');
  const tooMany = form.errors[`page.${list}`];
  return (
    <Card>
      <div className={layout.fields}>
        <SegmentedControl
          aria-label={t('page')}
          className={classes.pages ?? ''}
          data={blockLists.map(value => ({
            value,
            label: `${t(`list.${value}`)} (${form.values.page[value].length})`,
          }))}
          value={list}
          onChange={value => onList(value as BlockList)}
        />
        <p className={classes.help}>{t(`help.${list}`)}</p>
        {blocks.some(textsOf) && (
          <div className={fields.translated}>
            <LanguageTabs
              label={t('textLanguage')}
              value={language}
              onChange={setLanguage}
              missing={countMissing(
                blocks.map(it => textsOf(it) ?? {}),
                portal.page.languages,
              )}
            />
          </div>
        )}
        {blocks.length === 0 ? (
          <p className={classes.empty}>{readOnly ? t('empty') : `${t('empty')} ${t('emptyHelp')}`}</p>
        ) : (
          <SortableList
            label={t(`list.${list}`)}
            items={blocks}
            keyOf={block => block.id ?? ''}
            nameOf={nameOf}
            onMove={(from, to) => change(moved(blocks, from, to))}
            disabled={readOnly}
          >
            {(block, index, handle) => (
              <BlockCard
                form={form}
                block={block}
                at={`page.${list}.${index}`}
                place={index + 1}
                handle={handle}
                beforeSignIn={list === 'sign_in_blocks'}
                open={open === block.id}
                onToggle={() => setOpen(open === block.id ? undefined : block.id)}
                onDelete={() => change(blocks.filter(it => it !== block))}
              />
            )}
          </SortableList>
        )}
        {tooMany && <p role="alert">{tooMany}</p>}
        {!readOnly && (
          <div className={classes.add} role="group" aria-label={t('add')}>
            {blocks.length >= maxBlocks ? (
              <p className={classes.help}>{t('full', { count: maxBlocks })}</p>
            ) : (
              blockKinds.filter(canAdd).map(kind => (
                <Button
                  key={kind}
                  variant="default"
                  leftSection={<IconPlus size={16} aria-hidden />}
                  onClick={() => add(kind)}
                >
                  {t(`kind.${kind}`)}
                </Button>
              ))
            )}
          </div>
        )}
      </div>
    </Card>
  );
}
