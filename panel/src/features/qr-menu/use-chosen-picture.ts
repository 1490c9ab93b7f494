import { useEffect, useState } from 'react';

/** A picture that was chosen but not sent yet, shown from the file itself; until then the one there is. */
export function useChosenPicture(kept: string | null) {
  const [file, setFile] = useState<File>();
  const [src, setSrc] = useState(kept);
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
