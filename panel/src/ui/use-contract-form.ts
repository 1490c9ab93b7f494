import { useForm } from '@mantine/form';
import isEqual from 'fast-deep-equal';
import { type FormEvent, type RefObject, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { z } from 'zod';
import { ApiError } from '#lib/client.ts';
import { language } from '#lib/language.ts';
import { reportError } from '#lib/queries.ts';
import { withTimeout } from '#lib/with-timeout.ts';
import { useStoredValues } from '#ui/keep-typed.ts';
import { useKeptInput } from '#ui/kept-input.ts';

const firstOfEach = (errors: Record<string, string[]>) =>
  Object.fromEntries(Object.entries(errors).flatMap(([field, [first]]) => (first ? [[field, first]] : [])));

/** Focuses the first field with an error. */
function focusFirstError(root: HTMLElement | null): void {
  const wrong = root?.querySelector<HTMLElement>('[aria-invalid=true], fieldset[data-invalid]');
  // In a fieldset (such as the brands) or a wrapper (such as that of a password), the first input.
  const field = wrong?.matches('fieldset, div') ? wrong.querySelector<HTMLElement>('input') : wrong;
  field?.focus();
}

type AnyValues = Record<string, unknown>;

/** Mantine's form; the package does not export the name of its own type in a way that can be resolved. */
export type Form<Values extends AnyValues> = Omit<
  ReturnType<typeof useForm<Values>>,
  'validate' | 'validateField' | 'isValid' | 'onSubmit'
>;

/** The part of a form that the fields of a section need. The form of a whole with more values is assignable to it. */
export interface FormPart<Values extends AnyValues>
  extends Pick<Form<Values>, 'values' | 'errors' | 'setErrors' | 'clearErrors' | 'setFieldValue'> {
  getInputProps: (path: string, options?: { type: 'checkbox' }) => ReturnType<Form<Values>['getInputProps']>;
}

interface Options<S extends z.ZodType, Values> {
  /**
   * Loads the schema by which the server validates the same form. It loads (with zod) on the first focus, so that the
   * screen does not wait for it.
   */
  schema: () => Promise<S>;
  initial: Values;
  /**
   * Changes with the stored values, such as their `updated_at`. The form then takes the new `initial` values, except for
   * the fields that the user has changed meanwhile.
   */
  version?: string | number | undefined;
  /** Turns the fields into the input of the schema, such as an empty text into null. */
  toInput?: (values: Values) => unknown;
  /** Resolves to `false` if nothing was saved. */
  submit: (values: z.output<S>) => Promise<unknown>;
}

/** How often an open form has taken new stored values, and whether the last ones were of its own save. */
export interface Adoption {
  count: number;
  isOwn: boolean;
}

export interface ContractForm<Values extends AnyValues> {
  form: Form<Values>;
  adoption: Adoption;
  /** Props of the form element. */
  element: {
    ref: RefObject<HTMLFormElement | null>;
    onSubmit: (event: FormEvent<HTMLFormElement>) => void;
    onFocus: () => void;
    noValidate: true;
    /** The form was sent, and waits for the code of its schema. */
    'aria-busy': boolean;
  };
}

/** A form of the contract: validated by the server's own schema, and the server's errors appear at the same fields. */
export function useContractForm<S extends z.ZodType, Values extends AnyValues>({
  schema,
  initial,
  version,
  toInput = values => values,
  submit,
}: Options<S, Values>): ContractForm<Values> {
  const ref = useRef<HTMLFormElement>(null);
  const checks = useRef<Promise<Checks<S>>>(undefined);
  const busy = useRef(false);
  const [isWaiting, setWaiting] = useState(false);
  const fields = useForm<Values>({ initialValues: initial });
  // Mantine still calls a form dirty after a value inside another one was typed back.
  const isDirty = (path?: string) =>
    path === undefined ? !isEqual(fields.getValues(), fields.getInitialValues()) : fields.isDirty(path);
  const form = { ...fields, isDirty };
  const adoption = useRef<Adoption>({ count: 0, isOwn: false });
  const { start, beginSave, endSave } = useStoredValues({
    version,
    stored: initial,
    read: form.getValues,
    onNewVersion: (stored, shown, isOwn) => {
      const { errors } = fields;
      adoption.current = { count: adoption.current.count + 1, isOwn };
      form.resetDirty(stored);
      form.setValues(shown);
      // Input that the server refused is still in the field.
      if (shown !== stored) form.setErrors(errors);
    },
  });
  useKeptInput(form, start);

  const load = () => {
    checks.current ??= withTimeout(loadChecks(schema)).catch(error => {
      checks.current = undefined;
      throw error;
    });
    return checks.current;
  };
  const refuse = (errors: Record<string, string[]>) => {
    // Rendered at once, so that the invalid field can be found.
    flushSync(() => form.setErrors(firstOfEach(errors)));
    focusFirstError(ref.current);
  };
  const check = async () => {
    setWaiting(true);
    const [rules, fieldErrors] = await load().finally(() => setWaiting(false));
    // The form was closed meanwhile.
    if (!ref.current) return;
    const sent = form.getValues();
    const checked = rules.safeParse(toInput(sent), { reportInput: true });
    if (!checked.success) return refuse(fieldErrors(checked.error.issues, language()));
    try {
      beginSave(sent);
      endSave((await submit(checked.data)) !== false);
    } catch (error) {
      endSave(false);
      // A toast has reported it; this adds the messages to the fields.
      if (error instanceof ApiError && error.status === 422) refuse(error.errors);
    }
  };
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    // React events of a dialog bubble to the form that opened it, although the dialog is elsewhere in the DOM.
    event.stopPropagation();
    if (busy.current) return;
    busy.current = true;
    void check()
      .catch(reportError)
      .finally(() => {
        busy.current = false;
      });
  };
  const onFocus = () => void load().catch(() => undefined);
  return {
    form,
    adoption: adoption.current,
    element: { ref, onSubmit, onFocus, noValidate: true, 'aria-busy': isWaiting },
  };
}

type FieldErrors = typeof import('@portico/contract/validation.ts').fieldErrors;
type Checks<S> = readonly [S, FieldErrors];

async function loadChecks<S>(schema: () => Promise<S>): Promise<Checks<S>> {
  const [rules, { fieldErrors }] = await Promise.all([schema(), import('@portico/contract/validation.ts')]);
  return [rules, fieldErrors];
}
