import type { Texts } from '@portico/contract/guest-texts/keys.ts';
import type { ConsentBox, MethodView, SignInView } from '@portico/contract/guests.ts';
import type { ReactNode } from 'react';
import { GoButton } from './go-button.tsx';

/** The channels whose address the open form asks for; an OpenID account has an e-mail address. */
function channelsOf(view: SignInView, method: MethodView | undefined): SignInView['marketing'] {
  const asks = (name: string) => (method ? method.fields.some(it => it.name === name) : name === 'email');
  return view.marketing.filter(it => asks(it.channel === 'email' ? 'email' : 'phone'));
}

/**
 * The agreements that the guest has to accept, with links to read them, and the news that it may allow. The page has it once,
 * in the open method's form.
 */
export function Consents({ view, method, texts }: { view: SignInView; method?: MethodView; texts: Texts }) {
  const kinds = view.agreements.map(it => it.kind);
  const channels = channelsOf(view, method);
  const isWrong = view.problem === 'agree_first';
  const box = (name: ConsentBox, value: string, words: string) => (
    <Box key={name} name={name} value={value} ticked={view.ticked.includes(name)} invalid={isWrong}>
      {words}
    </Box>
  );
  return (
    <>
      {view.agree && (
        <>
          {kinds.includes('general') && box('agree', view.agree, texts.consent.terms)}
          {kinds.includes('kvkk') &&
            (kinds.includes('general')
              ? box('notice', '1', texts.consent.notice)
              : box('agree', view.agree, texts.consent.notice))}
          <p className="terms">
            {kinds.map(kind => (
              <GoButton key={kind} to={kind}>
                {texts.agreements[kind]}
              </GoButton>
            ))}
          </p>
        </>
      )}
      {channels.length > 0 && (
        <fieldset>
          <legend>{texts.consent.news}</legend>
          {channels.map(({ channel, text, version }) => (
            <Box
              key={channel}
              name={`allow_${channel}`}
              value={version}
              ticked={view.ticked.includes(`allow_${channel}`)}
              optional
            >
              <span dir="auto">{text}</span>
            </Box>
          ))}
          <small>{texts.consent.free}</small>
        </fieldset>
      )}
    </>
  );
}

interface BoxProps {
  readonly name: ConsentBox;
  readonly value: string;
  readonly ticked: boolean;
  readonly invalid?: boolean;
  readonly optional?: boolean;
  readonly children: ReactNode;
}

export function Box({ name, value, ticked, invalid = false, optional = false, children }: BoxProps) {
  return (
    <label className="agree">
      <input
        type="checkbox"
        name={name}
        value={value}
        required={!optional}
        defaultChecked={ticked}
        aria-invalid={(invalid && !ticked) || undefined}
      />
      <span>{children}</span>
    </label>
  );
}
