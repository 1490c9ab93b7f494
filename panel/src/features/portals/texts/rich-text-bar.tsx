import { Button, TextInput } from '@mantine/core';
import {
  IconBold,
  IconH2,
  IconItalic,
  IconLink,
  IconList,
  IconListNumbers,
  IconPhotoUp,
  IconUnlink,
} from '@tabler/icons-react';
import { type ComponentType, type KeyboardEvent, type RefObject, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useUploadPicture } from '#features/portals/portals.api.ts';
import { isLink } from '#features/portals/texts/pasted-html.ts';
import classes from '#features/portals/texts/rich-text.module.css';
import { pictureTypes } from '#ui/picture-field.tsx';

interface Props {
  box: RefObject<HTMLDivElement | null>;
  portalId: string;
  onChange: () => void;
}

const states = ['bold', 'italic', 'insertUnorderedList', 'insertOrderedList'] as const;

export function RichTextBar({ box, portalId, onChange }: Props) {
  const { t } = useTranslation(['portal-editor', 'common']);
  const [on, setOn] = useState<readonly string[]>([]);
  const [linking, setLinking] = useState<Range>();
  const upload = useUploadPicture(portalId, 'content');
  const file = useRef<HTMLInputElement>(null);
  const place = useRef<Range>(undefined);

  useEffect(() => {
    const look = () => {
      const { anchorNode } = getSelection() ?? {};
      if (!anchorNode || !box.current?.contains(anchorNode)) return;
      const heading = document.queryCommandValue('formatBlock') === 'h2';
      setOn([...states.filter(state => document.queryCommandState(state)), ...(heading ? ['h2'] : [])]);
    };
    document.addEventListener('selectionchange', look);
    return () => document.removeEventListener('selectionchange', look);
  }, [box]);

  /** The caret position, or the end of the text. */
  const here = (): Range => {
    const selection = getSelection();
    if (selection?.rangeCount && box.current?.contains(selection.anchorNode))
      return selection.getRangeAt(0).cloneRange();
    const range = document.createRange();
    if (box.current) range.selectNodeContents(box.current);
    range.collapse(false);
    return range;
  };
  const run = (command: string, value?: string, at = here()) => {
    box.current?.focus();
    const selection = getSelection();
    selection?.removeAllRanges();
    selection?.addRange(at);
    document.execCommand(command, false, value);
    onChange();
  };
  // insertHTML adds inline styles, which violate the panel's policy. So insert the text first, then link it.
  const link = (address: string) => {
    if (!linking) return;
    if (linking.collapsed) {
      run('insertText', address, linking);
      const written = here();
      written.setStart(written.endContainer, Math.max(0, written.endOffset - address.length));
      run('createLink', address, written);
      getSelection()?.collapseToEnd();
    } else run('createLink', address, linking);
    setLinking(undefined);
  };
  const insertPicture = async (chosen: File) => {
    const url = await upload.mutateAsync(chosen).catch(() => undefined);
    if (!url) return;
    const picture = document.createElement('img');
    picture.src = url;
    picture.alt = '';
    const at = place.current ?? here();
    at.collapse(false);
    at.insertNode(picture);
    at.collapse(false);
    box.current?.focus();
    getSelection()?.removeAllRanges();
    getSelection()?.addRange(at);
    onChange();
  };

  const buttons: readonly [string, ComponentType<{ size?: number }>, () => void, string?][] = [
    ['bold', IconBold, () => run('bold'), 'bold'],
    ['italic', IconItalic, () => run('italic'), 'italic'],
    ['heading', IconH2, () => run('formatBlock', on.includes('h2') ? 'p' : 'h2'), 'h2'],
    ['list', IconList, () => run('insertUnorderedList'), 'insertUnorderedList'],
    ['numbers', IconListNumbers, () => run('insertOrderedList'), 'insertOrderedList'],
    ['link', IconLink, () => setLinking(here())],
    ['unlink', IconUnlink, () => run('unlink')],
    [
      'picture',
      IconPhotoUp,
      () => {
        place.current = here();
        file.current?.click();
      },
    ],
  ];
  return (
    <>
      <div className={classes.bar} role="toolbar" tabIndex={-1} aria-label={t('rich.bar')} onKeyDown={walk}>
        {buttons.map(([name, Icon, act, state], i) => {
          const words = t(`rich.${name as 'bold'}`);
          return (
            <button
              key={name}
              type="button"
              tabIndex={i === 0 ? 0 : -1}
              aria-label={words}
              title={words}
              aria-pressed={state ? on.includes(state) : undefined}
              disabled={name === 'picture' && upload.isPending}
              // A click must not clear the selection in the text.
              onMouseDown={event => event.preventDefault()}
              onClick={act}
            >
              <Icon size={17} aria-hidden />
            </button>
          );
        })}
        <input
          ref={file}
          type="file"
          accept={pictureTypes}
          hidden
          onChange={event => {
            const chosen = event.currentTarget.files?.[0];
            if (chosen) void insertPicture(chosen);
            event.currentTarget.value = '';
          }}
        />
      </div>
      {linking && <LinkBox onLink={link} onClose={() => setLinking(undefined)} />}
    </>
  );
}

/** Arrow keys move within a toolbar; Tab leaves it. */
function walk(event: KeyboardEvent<HTMLDivElement>): void {
  const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
  if (!by) return;
  event.preventDefault();
  const buttons = [...event.currentTarget.querySelectorAll('button')];
  const at = buttons.indexOf(document.activeElement as HTMLButtonElement);
  buttons[(at + by + buttons.length) % buttons.length]?.focus();
}

function LinkBox({ onLink, onClose }: { onLink: (address: string) => void; onClose: () => void }) {
  const { t } = useTranslation(['portal-editor', 'common']);
  const [address, setAddress] = useState('https://');
  const [error, setError] = useState('');
  const apply = () => {
    const typed = address.trim();
    if (!typed || typed === 'https://') return setError(t('rich.linkEmpty'));
    if (!isLink(typed)) return setError(t('rich.linkWrong'));
    onLink(typed);
  };
  return (
    <div className={classes.link}>
      <TextInput
        aria-label={t('rich.address')}
        value={address}
        autoFocus
        onChange={event => {
          setAddress(event.currentTarget.value);
          setError('');
        }}
        onKeyDown={event => {
          if (event.key === 'Escape') onClose();
          if (event.key !== 'Enter') return;
          // Enter must not submit the surrounding form.
          event.preventDefault();
          apply();
        }}
        error={error}
      />
      <Button onClick={apply}>{t('common:add')}</Button>
      <Button variant="default" onClick={onClose}>
        {t('common:cancel')}
      </Button>
    </div>
  );
}
