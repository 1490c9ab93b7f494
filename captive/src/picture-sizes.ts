import type { PictureSizes } from '@portico/contract/picture-sizes.ts';

/** A picture of an upload. Attributes are escaped, so none contains a `>`. */
const picture = /<(?:img|source)\b[^>]*?\s(?:src|srcset)="\/uploads\/[^/"]+\/([a-z0-9-]+\.webp)"[^>]*?(?=\/?>)/gi;

/** Writes width and height into the pictures of a page, also those of rich texts, so that nothing moves when they arrive. */
export const withSizes = (html: string, sizes: PictureSizes = {}): string =>
  html.replace(picture, (tag, file: string) => {
    const size = sizes[file];
    return size && !/\s(?:width|height)=/.test(tag) ? `${tag} width="${size[0]}" height="${size[1]}"` : tag;
  });
