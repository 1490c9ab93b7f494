import { Button, TextInput } from '@mantine/core';
import type { Survey } from '@portico/contract/surveys.ts';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useEffect, useLayoutEffect, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useEditor } from '#features/portals/editor/editor-context.ts';
import fields from '#features/portals/fields/fields.module.css';
import { LanguageTabs } from '#features/portals/fields/language-tabs.tsx';
import { countMissing } from '#features/portals/fields/portal-languages.ts';
import classes from '#features/portals/items/items.module.css';
import { useSaveSurvey } from '#features/portals/items/portal-items.api.ts';
import { QuestionCard } from '#features/portals/surveys/question-card.tsx';
import type { Question, SurveyValues } from '#features/portals/surveys/survey-form.ts';
import { surveyTexts } from '#features/portals/surveys/survey-texts.ts';
import { formatDateTime } from '#lib/format.ts';
import layout from '#ui/form-layout.module.css';
import { Notice } from '#ui/notice.tsx';
import { SaveBar } from '#ui/save-bar.tsx';
import { moved, SortableList } from '#ui/sortable-list.tsx';
import { useContractForm } from '#ui/use-contract-form.ts';

interface Props {
  survey?: Survey;
  onDirty: (dirty: boolean) => void;
  onSaved: () => void;
  onCancel: () => void;
  onDelete?: () => void;
}

// The questions of a survey, at most 50, have their place as key.
let keys = 1000;
const newKey = () => ++keys;

const newQuestion = (): Question => ({
  key: newKey(),
  label: {},
  answer_type: 'text',
  type: 'single',
  answers: [
    { label: {}, emoji: null },
    { label: {}, emoji: null },
  ],
});

export function SurveyEditor({ survey, onDirty, onSaved, onCancel, onDelete }: Props) {
  const { t } = useTranslation(['portal-editor', 'common']);
  const { portal, readOnly, language, setLanguage } = useEditor();
  const save = useSaveSurvey();
  const version = survey?.updated_at;
  const initial = useMemo<SurveyValues>(
    () => ({
      name: survey?.name ?? '',
      questions: survey ? survey.questions.map((it, i) => ({ ...it, key: i + 1 })) : [newQuestion()],
    }),
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the keys stay until the survey changes
    [version],
  );
  const [open, setOpen] = useState<number | undefined>(survey ? undefined : initial.questions[0]?.key);
  const { form, adoption, element } = useContractForm({
    schema: async () => (await import('#features/portals/portal-schemas.ts')).survey,
    initial,
    version,
    submit: async values => {
      await save.mutateAsync({ id: survey?.id, form: values });
      onSaved();
    },
  });
  const { values, errors, setFieldValue } = form;
  const dirty = form.isDirty();
  useEffect(() => onDirty(dirty), [dirty, onDirty]);

  const wrong = Object.keys(errors).find(key => key.startsWith('questions.'));
  const wrongKey = wrong && values.questions[Number(wrong.split('.')[1])]?.key;
  useLayoutEffect(() => {
    if (wrongKey) setOpen(wrongKey);
  }, [wrongKey]);

  const setQuestions = (questions: Question[]) => {
    form.clearErrors();
    setFieldValue('questions', questions);
  };
  const add = () => {
    const question = newQuestion();
    setQuestions([...values.questions, question]);
    setOpen(question.key);
  };
  return (
    <form {...element}>
      {survey && dirty && adoption.count > 0 && !adoption.isOwn && (
        <Notice
          tone="warn"
          title={t('conflict.survey', { time: formatDateTime(survey.updated_at) })}
          action={
            <Button variant="default" onClick={form.reset}>
              {t('conflict.theirs')}
            </Button>
          }
        >
          {t('conflict.surveyText')}
        </Notice>
      )}
      <div className={layout.fields}>
        <fieldset className={layout.whole} disabled={readOnly}>
          <TextInput
            label={t('survey.name')}
            description={t('survey.nameHelp')}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            withAsterisk
            {...form.getInputProps('name')}
          />
        </fieldset>
        <div className={fields.translated}>
          <span className={fields.help}>{t('textLanguage')}</span>
          <LanguageTabs
            label={t('textLanguage')}
            value={language}
            onChange={setLanguage}
            missing={countMissing(surveyTexts(values), portal.page.languages)}
          />
        </div>
        <div>
          {values.questions.length === 0 && <p className={fields.help}>{t('survey.noQuestions')}</p>}
          <SortableList
            label={t('survey.questionList')}
            items={values.questions}
            keyOf={question => String(question.key)}
            nameOf={question => t('survey.question', { place: values.questions.indexOf(question) + 1 })}
            onMove={(from, to) => setQuestions(moved(values.questions, from, to))}
            disabled={readOnly}
          >
            {(question, index, handle) => (
              <QuestionCard
                form={form}
                question={question}
                index={index}
                handle={handle}
                open={open === question.key}
                onToggle={() => setOpen(open === question.key ? undefined : question.key)}
                onDelete={() => setQuestions(values.questions.filter(it => it !== question))}
              />
            )}
          </SortableList>
          {!readOnly && values.questions.length < 50 && (
            <Button variant="default" leftSection={<IconPlus size={16} />} onClick={add}>
              {t('survey.addQuestion')}
            </Button>
          )}
        </div>
        <div className={classes.foot}>
          {onDelete && !readOnly && (
            <Button variant="subtle" c="var(--bad)" leftSection={<IconTrash size={16} />} onClick={onDelete}>
              {t('survey.delete')}
            </Button>
          )}
          {!survey && !dirty && (
            <Button variant="default" onClick={onCancel}>
              {t('common:cancel')}
            </Button>
          )}
        </div>
      </div>
      <SaveBar readOnly={readOnly} dirty={dirty} pending={save.isPending} onDiscard={survey ? form.reset : onCancel} />
    </form>
  );
}
