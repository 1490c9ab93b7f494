interface Props {
  title: string;
  /** Replaces a whole screen, so it has the screen's heading and document title. */
  screen: boolean;
}

/** The heading of what stands in for missing content. */
export function StateHeading({ title, screen }: Props) {
  if (!screen) return <h2>{title}</h2>;
  return (
    <>
      <title>{title}</title>
      <h1>{title}</h1>
    </>
  );
}
