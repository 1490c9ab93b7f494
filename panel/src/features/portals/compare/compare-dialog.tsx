import { Modal } from '@mantine/core';
import { languageName } from '@portico/contract/portal-languages.ts';
import type { Portal, PortalForm } from '@portico/contract/portals.ts';
import { useTranslation } from 'react-i18next';
import classes from '#features/portals/compare/compare.module.css';
import { type Difference, differences } from '#features/portals/compare/differences.ts';
import { useValueWords } from '#features/portals/compare/use-value-words.ts';
import modal from '#ui/modal.module.css';

interface Props {
  title: string;
  beforeLabel?: string;
  before: Portal;
  /** The values of each side. */
  sides: readonly { label: string; portal: Portal | PortalForm }[];
  onClose: () => void;
}

/** The fields in which portals differ, side by side. */
export function CompareDialog({ title, beforeLabel, before, sides, onClose }: Props) {
  const { t } = useTranslation(['portal-editor', 'common']);
  const wordsOf = useValueWords();
  const rows = differences(
    before,
    sides.map(it => it.portal),
  );
  // Two lists with the same names differ in their items.
  const inWords = ({ path, before: was }: Difference, text: string) => {
    const words = wordsOf(path, text);
    return text !== was && words === wordsOf(path, was) ? t('compare.changed', { value: words }) : words;
  };
  return (
    <Modal
      opened
      onClose={onClose}
      title={title}
      size={820}
      closeButtonProps={{ 'aria-label': t('common:close') }}
      classNames={modal}
    >
      {rows.length === 0 ? (
        <p className={modal.text}>{t('compare.same')}</p>
      ) : (
        <div className={classes.scroll}>
          <table className={classes.table}>
            <thead>
              <tr>
                <th scope="col">{t('compare.field')}</th>
                <th scope="col">{beforeLabel ?? t('compare.before')}</th>
                {sides.map(side => (
                  <th key={side.label} scope="col">
                    {side.label}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map(row => (
                <tr key={row.path}>
                  <th scope="row">
                    <FieldName path={row.path} />
                  </th>
                  <Value text={inWords(row, row.before)} />
                  {row.sides.map((text, i) => (
                    <Value key={sides[i]?.label} text={inWords(row, text)} changed={text !== row.before} />
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Modal>
  );
}

function FieldName({ path }: Pick<Difference, 'path'>) {
  const { t, i18n } = useTranslation('portal-editor');
  const [part = '', key = '', language, ...inner] = path.split('.');
  const named = (name: string, fallback: string) => {
    const words: unknown = i18n.getResource(i18n.language, 'portal-editor', name);
    return typeof words === 'string' ? words : fallback;
  };
  if (part === 'name') return t('name');
  if (part === 'page' && key.endsWith('_blocks')) return <BlockField list={key} place={language} path={inner} />;
  if (part === 'styles') return named(`style.${key}`, t('history.part.styles'));
  if (part === 'providers') {
    const option = inner[0] ?? language ?? '';
    const words = option === 'is_active' || option === 'order' ? t(`compare.${option}`) : named(`option.${option}`, '');
    return [t('history.part.providers'), named(`method.${key}`, key), words].filter(Boolean).join(': ');
  }
  if (part === 'page' && key === 'links') return t('links');
  if (part === 'page' && key === 'languages') return t('guestLanguages');
  if (part === 'page' && key === 'own_languages') return t('own.title');
  const words =
    part === 'messages'
      ? named(`message.${key}`, t('history.part.messages'))
      : part === 'agreements'
        ? named(`section.${key === 'general' ? 'general_usage' : key}`, t('history.part.agreements'))
        : named(`history.part.${part === 'redirect_rules' ? 'rules' : part}`, part);
  return language && (part === 'messages' || part === 'agreements') ? `${words} (${languageName(language)})` : words;
}

/** A field of a block, such as `Sign-in page, block 2: text (Türkçe)`. */
function BlockField({ list, place = '', path }: { list: string; place: string | undefined; path: readonly string[] }) {
  const { t } = useTranslation('portal-blocks');
  const key = blockFields.find(it => it === path[0]);
  const named = path[1] && ['texts', 'alt', 'label'].includes(path[0] ?? '') ? languageName(path[1]) : undefined;
  const field = key && (named ? `${t(`field.${key}`)} (${named})` : t(`field.${key}`));
  const page = t(`list.${list === 'connected_blocks' ? list : 'sign_in_blocks'}`);
  return [`${page}, ${t('block', { place })}`, field].filter(Boolean).join(': ');
}

const blockFields = [
  'kind',
  'texts',
  'image',
  'alt',
  'shape',
  'label',
  'url',
  'starts_on',
  'ends_on',
  'weekdays',
  'from_time',
  'to_time',
] as const;

const colour = /^#[0-9a-f]{6}$/;
const picture = /^(https?:\/\/[^\s/]+)?\/uploads\/\S+\.(png|jpg|webp|svg)$/;

function Value({ text, changed = false }: { text: string; changed?: boolean }) {
  const { t } = useTranslation('portal-editor');
  const words = text.startsWith('<') ? text.replace(/<[^>]*>/g, ' ') : text;
  if (picture.test(text))
    return (
      <td data-changed={changed || undefined}>
        <img src={text} alt={t('compare.picture')} className={classes.picture} />
      </td>
    );
  return (
    <td data-changed={changed || undefined}>
      {colour.test(text) && (
        <svg viewBox="0 0 10 10" width={12} height={12} aria-hidden="true" className={classes.swatch}>
          <rect width={10} height={10} fill={text} />
        </svg>
      )}
      {words.length > 200 ? `${words.slice(0, 200)}…` : words || '–'}
    </td>
  );
}
