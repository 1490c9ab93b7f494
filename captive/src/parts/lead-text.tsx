/** A text with an e-mail address or a phone number, which is left-to-right in every language. `name`: its placeholder. */
export function LeadText({ text, name, value }: { text: string; name: 'email' | 'phone'; value: string }) {
  const [before = '', after = ''] = text.split(`{${name}}`);
  return (
    <p className="lead">
      {before}
      <bdi dir="ltr">{value}</bdi>
      {after}
    </p>
  );
}
