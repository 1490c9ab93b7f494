import { textsIn } from '../texts/texts.ts';

interface Props {
  readonly view: { readonly language: string; readonly retry: string | null; readonly form: string | null };
  /** The words of each way, if others than usual. */
  readonly toRetry?: string;
  readonly toForm?: string;
  /** The page has a better way on. */
  readonly isMinor?: boolean;
}

/** The ways on from a page that did not lead the guest online: the same once more, or the sign-in form. */
export function Ways({ view, toRetry, toForm, isMinor = false }: Props) {
  const texts = textsIn(view.language);
  return (
    <>
      {view.retry && (
        <a className="button" href={view.retry}>
          {toRetry ?? texts.retry}
        </a>
      )}
      {view.form && (
        <a className={view.retry || isMinor ? 'button quiet' : 'button'} href={view.form}>
          {toForm ?? texts.toForm}
        </a>
      )}
    </>
  );
}
