import { ActionIcon, Button, TextInput } from '@mantine/core';
import { isScale, scaleAnswers } from '@portico/contract/survey-scale.ts';
import { IconChevronDown, IconTrash } from '@tabler/icons-react';
import { type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { useEditor } from '#features/portals/editor/editor-context.ts';
import { ChoiceField } from '#features/portals/fields/choice-field.tsx';
import fields from '#features/portals/fields/fields.module.css';
import { anyText, textAttributes } from '#features/portals/fields/portal-languages.ts';
import classes from '#features/portals/items/items.module.css';
import { AnswerList } from '#features/portals/surveys/answer-list.tsx';
import { emojiSet } from '#features/portals/surveys/emojis.ts';
import type { Question, SurveyFormState } from '#features/portals/surveys/survey-form.ts';
import layout from '#ui/form-layout.module.css';

interface Props {
  form: SurveyFormState;
  question: Question;
  index: number;
  handle: ReactNode;
  open: boolean;
  onToggle: () => void;
  onDelete: () => void;
}

export function QuestionCard({ form, question, index, handle, open, onToggle, onDelete }: Props) {
  const { t } = useTranslation('portal-editor');
  const { language, readOnly } = useEditor();
  const bodyId = useId();
  const change = (changed: Partial<Question>) => {
    form.clearErrors();
    form.setFieldValue(`questions.${index}`, { ...question, ...changed });
  };
  // Answers of the other type do not fit, so a change of type clears them.
  const changeKind = (answer_type: Question['answer_type']) =>
    change({
      answer_type,
      answers:
        answer_type === 'emoji'
          ? emojiSet.map(emoji => ({ label: {}, emoji }))
          : [
              { label: {}, emoji: null },
              { label: {}, emoji: null },
            ],
    });
  const place = t('survey.question', { place: index + 1 });
  const label = form.getInputProps(`questions.${index}.label.${language}`);
  return (
    <div className={classes.question} data-open={open || undefined}>
      <div className={classes.questionHead}>
        {handle}
        <button type="button" aria-expanded={open} aria-controls={bodyId} onClick={onToggle}>
          <small>{place}</small>
          <span dir="auto">{anyText(question.label, language) || t('survey.untitled')}</span>
          <IconChevronDown size={16} aria-hidden />
        </button>
        {!readOnly && (
          <ActionIcon
            variant="subtle"
            color="gray"
            size={32}
            aria-label={t('survey.deleteQuestion', { place })}
            onClick={onDelete}
          >
            <IconTrash size={16} aria-hidden />
          </ActionIcon>
        )}
      </div>
      <div id={bodyId} hidden={!open} className={classes.questionBody}>
        <fieldset className={layout.fields} disabled={readOnly}>
          <TextInput
            label={t('survey.label')}
            withAsterisk
            maxLength={500}
            placeholder={anyText(question.label, language)}
            {...textAttributes(language)}
            {...label}
            error={label.error ?? form.errors[`questions.${index}.label`]}
          />
          <div className={layout.two}>
            <ChoiceField
              label={t('survey.answerType')}
              options={[
                { value: 'text', label: t('survey.text') },
                { value: 'emoji', label: t('survey.emoji') },
              ]}
              value={question.answer_type}
              onChange={changeKind}
              disabled={readOnly}
            />
            <ChoiceField
              label={t('survey.type')}
              options={[
                { value: 'single', label: t('survey.single') },
                { value: 'multiple', label: t('survey.multiple') },
              ]}
              value={question.type}
              onChange={type => change({ type })}
              disabled={readOnly}
            />
          </div>
          {question.answer_type === 'text' && !isScale(question) && !readOnly && (
            <div>
              <Button variant="default" onClick={() => change({ type: 'single', answers: scaleAnswers() })}>
                {t('survey.useScale')}
              </Button>
              <p className={fields.help}>{t('survey.scaleHelp')}</p>
            </div>
          )}
          <AnswerList form={form} question={question} index={index} onChange={answers => change({ answers })} />
        </fieldset>
      </div>
    </div>
  );
}
