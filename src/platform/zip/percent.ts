// Tells how far an archive is, in whole percents.

/**
 * Passes on the percents of shares from 0 to 1 while they rise. Stops at 99: the archive has to be completed after its
 * last row.
 */
export function rising(onProgress: (percent: number) => void = () => {}): (share: number) => void {
  let last = 0;
  return (share) => {
    const percent = Math.min(99, Math.floor(100 * share));
    if (percent <= last) return;
    last = percent;
    onProgress(percent);
  };
}
