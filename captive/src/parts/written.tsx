/** A text that only the operator has. In a language without it, guests see it in another language, whose direction may differ. */
export function Written({ text, className = '' }: { text: string; className?: string }) {
  return (
    <p className={`${className} written`.trim()} dir="auto">
      {text}
    </p>
  );
}
