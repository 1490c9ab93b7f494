import { useEffect, useState } from 'react';

/** The preview of a chosen picture before its upload, or the current picture. */
export function usePicturePreview(current: string | null) {
  const [file, setFile] = useState<File>();
  const [src, setSrc] = useState(current);
  useEffect(() => {
    if (!file) return;
    const url = URL.createObjectURL(file);
    setSrc(url);
    return () => URL.revokeObjectURL(url);
  }, [file]);
  const clear = () => {
    setFile(undefined);
    setSrc(null);
  };
  return { file, src, take: setFile, clear };
}
