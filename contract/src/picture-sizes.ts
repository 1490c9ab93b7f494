/** Width and height of pictures, by file. */
export type PictureSizes = Readonly<Record<string, readonly [width: number, height: number]>>;
