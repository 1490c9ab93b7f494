import { Fragment } from 'react';

/** An e-mail address. Where it does not fit on a line it breaks before the @ and after dots and hyphens, not inside a word. */
export const EmailText = ({ email }: { email: string }) => (
  <span>
    {email.split(/(?=@)|(?<=[.-])/).map((part, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of an address have no other key
      <Fragment key={index}>
        {index > 0 && <wbr />}
        {part}
      </Fragment>
    ))}
  </span>
);
