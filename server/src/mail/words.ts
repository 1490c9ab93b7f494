/** The text of a mail, before its layout. */
export interface Words {
  readonly subject: string;
  readonly heading: string;
  readonly paragraphs: readonly string[];
  /** A code to type, shown large. */
  readonly code?: string;
  readonly button?: { readonly label: string; readonly link: string };
  /** Why the recipient got this mail, in small print. */
  readonly note: string;
  /** A link below the note. */
  readonly choices?: { readonly label: string; readonly link: string };
}
