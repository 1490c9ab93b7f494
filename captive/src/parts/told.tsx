/** A text with an e-mail address, which is left-to-right in every language. */
export function Told({ text, email }: { text: string; email: string }) {
  const [before = '', after = ''] = text.split('{email}');
  return (
    <p className="lead">
      {before}
      <bdi dir="ltr">{email}</bdi>
      {after}
    </p>
  );
}
