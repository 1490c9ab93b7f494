import { type ClipboardEvent, type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useEditor } from '#features/portals/editor/editor-context.ts';
import { hasText, textAttributes } from '#features/portals/fields/portal-languages.ts';
import { sanitizePastedHtml } from '#features/portals/texts/pasted-html.ts';
import classes from '#features/portals/texts/rich-text.module.css';
import { RichTextBar } from '#features/portals/texts/rich-text-bar.tsx';

interface Props {
  label: string;
  value: string;
  onChange: (html: string) => void;
  error?: ReactNode;
  small?: boolean;
}

/** A rich text editor. The server sanitises the HTML that it stores; pasted HTML is sanitised here as well. */
export function RichText({ label, value, onChange, error, small }: Props) {
  const { t } = useTranslation('portal-editor');
  const { portal, language, readOnly } = useEditor();
  const box = useRef<HTMLDivElement>(null);
  const lastHtml = useRef<string>(undefined);
  const [empty, setEmpty] = useState(!hasText(value));

  // Writing the same text back would move the caret.
  useLayoutEffect(() => {
    if (!box.current || lastHtml.current === value) return;
    lastHtml.current = value;
    box.current.innerHTML = value;
    setEmpty(!hasText(value));
  }, [value]);
  useEffect(() => {
    document.execCommand('defaultParagraphSeparator', false, 'p');
    document.execCommand('styleWithCSS', false, 'false');
  }, []);

  const tell = () => {
    const html = box.current ? tidyHtml(box.current) : '';
    const text = hasText(html) ? html : '';
    lastHtml.current = text;
    setEmpty(text === '');
    onChange(text);
  };
  // Text typed into an empty editor would otherwise be outside any paragraph.
  const begin = () => {
    if (readOnly || !box.current || box.current.innerHTML) return;
    box.current.innerHTML = '<p><br></p>';
    getSelection()?.setPosition(box.current.firstChild, 0);
  };
  const paste = (event: ClipboardEvent) => {
    event.preventDefault();
    const html = event.clipboardData.getData('text/html');
    if (html) document.execCommand('insertHTML', false, sanitizePastedHtml(html));
    else document.execCommand('insertText', false, event.clipboardData.getData('text/plain'));
  };
  return (
    <div>
      <div className={classes.editor} data-invalid={error ? true : undefined} data-read-only={readOnly || undefined}>
        {!readOnly && <RichTextBar box={box} portalId={portal.id} onChange={tell} />}
        {/* biome-ignore lint/a11y/useSemanticElements: a textarea cannot hold formatted text. */}
        <div
          ref={box}
          className={classes.box}
          data-small={small || undefined}
          data-placeholder={empty ? t('rich.placeholder') : undefined}
          role="textbox"
          tabIndex={0}
          aria-multiline="true"
          aria-label={label}
          aria-readonly={readOnly || undefined}
          aria-invalid={error ? true : undefined}
          contentEditable={!readOnly}
          suppressContentEditableWarning
          {...textAttributes(language)}
          onFocus={begin}
          onInput={tell}
          onPaste={paste}
          onDrop={event => event.preventDefault()}
        />
      </div>
      {error && (
        <p className={classes.error} role="alert">
          {error}
        </p>
      )}
    </div>
  );
}

/** The HTML without paragraphs around lists, which browsers insert although HTML forbids them. */
function tidyHtml(box: HTMLElement): string {
  const copy = box.cloneNode(true) as HTMLElement;
  for (const paragraph of copy.querySelectorAll('p:has(ul, ol, p)')) paragraph.replaceWith(...paragraph.childNodes);
  for (const empty of copy.querySelectorAll('p:empty')) empty.remove();
  return copy.innerHTML;
}
