import type { AdView, BlockView } from '@portico/contract/guests.ts';
import type { PortalLanguage } from '@portico/contract/portal-languages.ts';
import { Advertisement } from './advertisement.tsx';
import { RichText } from './rich-text.tsx';

interface Props {
  readonly blocks: readonly BlockView[];
  readonly ad: AdView | null;
  readonly language: PortalLanguage;
}

/** The content that the owner has added to the page. The advertisement is at the end, unless a block is its place. */
export function Blocks({ blocks, ad, language }: Props) {
  const hasPlace = blocks.some(({ kind }) => kind === 'advertisement');
  return (
    <>
      {blocks.length > 0 && (
        <div className="blocks">
          {blocks.map((block, index) => (
            // The list never changes on the page.
            <Block key={index} block={block} ad={ad} language={language} />
          ))}
        </div>
      )}
      {!hasPlace && <Advertisement ad={ad} language={language} />}
    </>
  );
}

function Block({ block, ad, language }: Pick<Props, 'ad' | 'language'> & { block: BlockView }) {
  switch (block.kind) {
    case 'text':
      return <RichText html={block.html} />;
    case 'picture':
      return <img className={block.shape} src={block.src} alt={block.alt} loading="lazy" decoding="async" />;
    case 'button':
      return (
        <a className="button quiet" href={block.href} rel="noreferrer nofollow">
          <bdi>{block.label}</bdi>
        </a>
      );
    case 'advertisement':
      return <Advertisement ad={ad} language={language} />;
  }
}
