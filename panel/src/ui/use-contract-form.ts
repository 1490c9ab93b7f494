import { useForm } from '@mantine/form';
import { fieldErrors } from '@portico/contract/validation.ts';
import { useRef } from 'react';
import type { z } from 'zod';
import { ApiError } from '#lib/client.ts';
import { language } from '#lib/language.ts';

const firstOfEach = (errors: Record<string, string[]>) =>
  Object.fromEntries(Object.entries(errors).flatMap(([field, [first]]) => (first ? [[field, first]] : [])));

/** After React has drawn the errors: the first of them gets the focus. */
function focusFirstError(root: HTMLElement | null): void {
  requestAnimationFrame(() =>
    root?.querySelector<HTMLElement>('[aria-invalid=true], [data-invalid=true] input')?.focus(),
  );
}

type AnyValues = Record<string, unknown>;

/** Mantine's form; the package does not export the name of its own type in a way that can be resolved. */
export type Form<Values extends AnyValues> = Omit<
  ReturnType<typeof useForm<Values>>,
  'validate' | 'validateField' | 'isValid' | 'onSubmit'
>;

interface Options<S extends z.ZodObject, Values> {
  /** The schema by which the server validates the same form. */
  schema: S;
  initial: Values;
  /** What the schema reads instead of the fields as they stand: an empty text as null, a nested part. */
  toInput?: (values: Values) => unknown;
  submit: (values: z.output<S>) => Promise<unknown>;
}

export interface ContractForm<Values extends AnyValues> {
  form: Form<Values>;
  /** Goes on the form element. */
  onSubmit: (event?: React.FormEvent<HTMLFormElement>) => void;
  ref: React.RefObject<HTMLFormElement | null>;
}

/** A form of the contract: checked here by the server's own schema, and the server's answer lands on the same fields. */
export function useContractForm<S extends z.ZodObject, Values extends AnyValues>({
  schema,
  initial,
  toInput = values => values,
  submit,
}: Options<S, Values>): ContractForm<Values> {
  const ref = useRef<HTMLFormElement>(null);
  const form = useForm<Values>({
    initialValues: initial,
    validate: values => {
      const checked = schema.safeParse(toInput(values));
      return checked.success ? {} : (firstOfEach(fieldErrors(checked.error.issues, language())) as never);
    },
  });
  const onSubmit = form.onSubmit(
    async values => {
      try {
        await submit(schema.parse(toInput(values)));
      } catch (error) {
        // The toast has told it already; here it goes to the fields.
        if (!(error instanceof ApiError) || error.status !== 422) return;
        form.setErrors(firstOfEach(error.errors) as never);
        focusFirstError(ref.current);
      }
    },
    () => focusFirstError(ref.current),
  );
  return { form, onSubmit, ref };
}
