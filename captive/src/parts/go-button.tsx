import type { ReactNode } from 'react';

interface GoButtonProps {
  /** The form whose input is kept; absent inside of it. */
  readonly form?: string;
  /** A language, a method, or an agreement. */
  readonly to: string;
  readonly lang?: string;
  readonly children: ReactNode;
}

/** A link for a page with a form: it submits the form, so that what was typed is still there afterwards. */
export function GoButton({ form, to, lang, children }: GoButtonProps) {
  return (
    <button type="submit" className="go" form={form} formNoValidate name="go" value={to} lang={lang}>
      {children}
    </button>
  );
}
