// When a reader comes near an element.

/** How far below or above the visible part it is near: half of the screen. */
const MARGIN = '50% 0px'

/** Calls `act` once, when an element comes near the visible part. Returns a function that forgets it. */
export function whenNear(element: Element, act: () => void): () => void {
  const observer = new IntersectionObserver(
    (entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return
      observer.disconnect()
      act()
    },
    { rootMargin: MARGIN },
  )
  observer.observe(element)
  return () => observer.disconnect()
}
