import { useForm } from '@mantine/form';
import { type FormEvent, type RefObject, useRef } from 'react';
import { flushSync } from 'react-dom';
import type { z } from 'zod';
import { ApiError } from '#lib/client.ts';
import { inTime } from '#lib/in-time.ts';
import { language } from '#lib/language.ts';
import { reportError } from '#lib/queries.ts';

const firstOfEach = (errors: Record<string, string[]>) =>
  Object.fromEntries(Object.entries(errors).flatMap(([field, [first]]) => (first ? [[field, first]] : [])));

/** The first of the fields that show an error gets the focus. */
function focusFirstError(root: HTMLElement | null): void {
  const wrong = root?.querySelector<HTMLElement>('[aria-invalid=true], fieldset[data-invalid]');
  // Of a group, such as the brands, its first part; of a frame, as passwords have one, what it holds.
  const field = wrong?.matches('fieldset, div') ? wrong.querySelector<HTMLElement>('input') : wrong;
  field?.focus();
}

type AnyValues = Record<string, unknown>;

/** Mantine's form; the package does not export the name of its own type in a way that can be resolved. */
export type Form<Values extends AnyValues> = Omit<
  ReturnType<typeof useForm<Values>>,
  'validate' | 'validateField' | 'isValid' | 'onSubmit'
>;

interface Options<S extends z.ZodType, Values> {
  /**
   * Fetches the schema by which the server validates the same form. Not needed before somebody types, it stays (with
   * zod) out of what the screen waits for.
   */
  schema: () => Promise<S>;
  initial: Values;
  /** What the schema reads instead of the fields as they stand: an empty text as null, a nested part. */
  toInput?: (values: Values) => unknown;
  submit: (values: z.output<S>) => Promise<unknown>;
}

export interface ContractForm<Values extends AnyValues> {
  form: Form<Values>;
  /** These three go on the form element. */
  element: {
    ref: RefObject<HTMLFormElement | null>;
    onSubmit: (event: FormEvent<HTMLFormElement>) => void;
    onFocus: () => void;
    noValidate: true;
  };
}

/** A form of the contract: checked here by the server's own schema, and the server's answer lands on the same fields. */
export function useContractForm<S extends z.ZodType, Values extends AnyValues>({
  schema,
  initial,
  toInput = values => values,
  submit,
}: Options<S, Values>): ContractForm<Values> {
  const ref = useRef<HTMLFormElement>(null);
  const checks = useRef<Promise<Checks<S>>>(undefined);
  const busy = useRef(false);
  const form = useForm<Values>({ initialValues: initial });

  const load = () => {
    checks.current ??= inTime(loadChecks(schema)).catch(error => {
      checks.current = undefined;
      throw error;
    });
    return checks.current;
  };
  const refuse = (errors: Record<string, string[]>) => {
    // Drawn at once, so that the field to focus is known to be wrong.
    flushSync(() => form.setErrors(firstOfEach(errors) as never));
    focusFirstError(ref.current);
  };
  const check = async () => {
    const [rules, fieldErrors] = await load();
    const checked = rules.safeParse(toInput(form.values), { reportInput: true });
    if (!checked.success) return refuse(fieldErrors(checked.error.issues, language()));
    try {
      await submit(checked.data);
    } catch (error) {
      // The toast has told it already; here it goes to the fields.
      if (error instanceof ApiError && error.status === 422) refuse(error.errors);
    }
  };
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    // A dialog inside a form is inside it for React as well, though not on the page.
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
  return { form, element: { ref, onSubmit, onFocus, noValidate: true } };
}

type FieldErrors = typeof import('@portico/contract/validation.ts').fieldErrors;
type Checks<S> = readonly [S, FieldErrors];

async function loadChecks<S>(schema: () => Promise<S>): Promise<Checks<S>> {
  const [rules, { fieldErrors }] = await Promise.all([schema(), import('@portico/contract/validation.ts')]);
  return [rules, fieldErrors];
}
