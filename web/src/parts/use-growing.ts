// How many rows of a long table are shown yet: first what a screen shows, then the rest in steps, so that no single step keeps
// a phone from answering a touch.
import { useEffect, useState } from 'preact/hooks'

/** Rows that a screen shows. */
const FIRST = 18
const STEP = 10
/** Where the columns have fixed widths, so that rows that come later move nothing. */
const NARROW = '(max-width: 760px)'

export function useGrowing(total: number): number {
  const [shown, setShown] = useState(() => (matchMedia(NARROW).matches ? FIRST : total))
  useEffect(() => {
    if (shown >= total) return
    const timer = setTimeout(() => setShown(shown + STEP), 0)
    return () => clearTimeout(timer)
  }, [shown, total])
  return shown
}
