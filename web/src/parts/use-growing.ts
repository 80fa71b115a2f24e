// Shows a long table or page in steps. The first step is one screen of it, so that no single step keeps a phone from
// answering a touch.
import { useEffect, useState } from 'preact/hooks'

/** Where the columns have fixed widths, so that rows that come later move nothing. */
const NARROW = '(max-width: 760px)'

export function useGrowing(total: number, first: number, step: number): number {
  const [shown, setShown] = useState(() => (matchMedia(NARROW).matches ? first : total))
  useEffect(() => {
    if (shown >= total) return
    const timer = setTimeout(() => setShown(shown + step), 0)
    return () => clearTimeout(timer)
  }, [shown, total, step])
  return shown
}
