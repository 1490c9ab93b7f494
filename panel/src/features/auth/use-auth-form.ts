import { type FormEvent, useRef, useState } from 'react';
import { type Said, saidBy } from '#features/auth/said.ts';
import { useAuthTexts } from '#features/auth/use-auth-texts.ts';
import { ApiError } from '#lib/client.ts';

type Problems<Field extends string> = Partial<Record<Field, string>>;

interface Options<Field extends string> {
  /** All of them are required; the server validates the rest. */
  fields: readonly Field[];
  /** Checks beyond empty fields that need no server. */
  check?: (body: Record<Field, string>) => Problems<Field>;
  send: (body: Record<Field, string>) => Promise<unknown>;
  /** Handles errors specific to the screen; true means handled. */
  onRefused?: (error: ApiError) => boolean;
}

/** A form of the screens before sign-in. It does without the schemas to stay small: the server validates the fields. */
export function useAuthForm<Field extends string>({ fields, check, send, onRefused }: Options<Field>) {
  const { t } = useAuthTexts();
  const ref = useRef<HTMLFormElement>(null);
  const [errors, setErrors] = useState<Problems<Field>>({});
  const [problem, setProblem] = useState<Said>('');
  const [pending, setPending] = useState(false);

  const refuse = (found: Problems<Field>, message: Said = '') => {
    setErrors(found);
    setProblem(message);
    const first = fields.find(field => found[field]);
    if (first) ref.current?.querySelector<HTMLInputElement>(`[name=${first}]`)?.focus();
  };

  const onSubmit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const typed = new FormData(event.currentTarget);
    const body = Object.fromEntries(fields.map(field => [field, String(typed.get(field) ?? '')])) as Record<
      Field,
      string
    >;
    const empty = fields.filter(field => !body[field].trim());
    const found = { ...check?.(body), ...Object.fromEntries(empty.map(field => [field, t('required')])) };
    if (Object.keys(found).length > 0) return refuse(found as Problems<Field>);
    setPending(true);
    refuse({});
    try {
      await send(body);
    } catch (error) {
      if (!(error instanceof ApiError)) return refuse({}, t('unreachable'));
      if (onRefused?.(error)) return;
      const problems = Object.fromEntries(
        fields.flatMap(field => error.errors[field]?.slice(0, 1).map(m => [field, m]) ?? []),
      );
      refuse(problems as Problems<Field>, Object.keys(problems).length > 0 ? '' : saidBy(error));
    } finally {
      setPending(false);
    }
  };
  return { ref, onSubmit, errors, problem, pending };
}
