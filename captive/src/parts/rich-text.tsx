// The Content-Security-Policy blocks style attributes, so the editor's alignments become classes.
const withClasses = (html: string) =>
  html.replace(/ style="text-align:\s*(left|right|center|justify);?"/g, ' class="align-$1"');

/** An operator's formatted text. It was sanitised when it was saved. */
export const RichText = ({ html }: { html: string }) => (
  // biome-ignore lint/security/noDangerouslySetInnerHtml: sanitised when it was saved
  <div className="rich" dir="auto" dangerouslySetInnerHTML={{ __html: withClasses(html) }} />
);
