import { ActionIcon, Button, TextInput } from '@mantine/core';
import { IconPlus, IconX } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useEditor } from '#features/portals/editor/editor-context.ts';
import fields from '#features/portals/fields/fields.module.css';
import { anyText, textAttributes } from '#features/portals/fields/portal-languages.ts';
import classes from '#features/portals/items/items.module.css';
import { type Emoji, emojiIcons, emojiSet } from '#features/portals/surveys/emojis.ts';
import type { Question, SurveyFormState } from '#features/portals/surveys/survey-form.ts';

interface Props {
  form: SurveyFormState;
  question: Question;
  index: number;
  onChange: (answers: Question['answers']) => void;
}

/** The answers of a question: texts, or emojis with an optional label. */
export function AnswerList({ form, question, index, onChange }: Props) {
  const { t } = useTranslation('portal-editor');
  const { language, readOnly } = useEditor();
  const { answers, answer_type } = question;
  const missing = answers.length === 0 && form.errors[`questions.${index}.answers`];
  const unused = emojiSet.find(emoji => !answers.some(answer => answer.emoji === emoji));
  const full = answer_type === 'emoji' ? !unused : answers.length >= 30;
  const add = () => {
    const added = { label: {}, emoji: answer_type === 'emoji' ? (unused ?? null) : null };
    const all = [...answers, added];
    // Emojis keep their order from worst to best.
    onChange(answer_type === 'emoji' ? all.sort((a, b) => rank(a.emoji) - rank(b.emoji)) : all);
  };
  return (
    <div role="group" aria-label={t('survey.answers')}>
      <span className={fields.label}>{t('survey.answers')}</span>
      {answers.length === 0 && (
        <p className={fields.help}>{t(question.answer_type === 'text' ? 'survey.ownWords' : 'survey.noAnswers')}</p>
      )}
      {missing && (
        <p className={fields.error} role="alert">
          {missing}
        </p>
      )}
      <ol className={classes.answers}>
        {answers.map((answer, i) => {
          const name = t('survey.answer', { place: i + 1 });
          const input = form.getInputProps(`questions.${index}.answers.${i}.label.${language}`);
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: answers have no id of their own, and their inputs keep nothing.
            <li key={i}>
              {answer.emoji && <Face emoji={answer.emoji} />}
              <TextInput
                className={classes.answerText ?? ''}
                aria-label={name}
                maxLength={255}
                placeholder={
                  anyText(answer.label, language) || (isBuiltIn(answer.emoji) ? t(`face.${answer.emoji}`) : name)
                }
                {...textAttributes(language)}
                {...input}
                error={input.error ?? form.errors[`questions.${index}.answers.${i}`]}
              />
              {!readOnly && (
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  size={32}
                  aria-label={t('survey.deleteAnswer', { name })}
                  onClick={() => onChange(answers.filter((_, j) => j !== i))}
                >
                  <IconX size={16} aria-hidden />
                </ActionIcon>
              )}
            </li>
          );
        })}
      </ol>
      {!readOnly && !full && (
        <Button variant="subtle" size="compact-sm" leftSection={<IconPlus size={14} />} onClick={add}>
          {t('survey.addAnswer')}
        </Button>
      )}
    </div>
  );
}

const isBuiltIn = (emoji: string | null): emoji is Emoji => emoji !== null && emoji in emojiIcons;

/** Emojis set through the API come after the built-in ones. */
const rank = (emoji: string | null) => (isBuiltIn(emoji) ? emojiSet.indexOf(emoji) : emojiSet.length);

function Face({ emoji }: { emoji: string }) {
  const { t } = useTranslation('portal-editor');
  if (!isBuiltIn(emoji)) return <span className={classes.face}>{emoji}</span>;
  const Icon = emojiIcons[emoji];
  return (
    <span className={classes.face} role="img" aria-label={t(`face.${emoji}`)}>
      <Icon size={24} stroke={1.6} aria-hidden />
    </span>
  );
}
