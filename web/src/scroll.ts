// The scroll position of a page, kept for going back and for a reload. The browser's own memory of it would be used
// before the page has its data.

/** Places that are kept. */
const MOST_KEPT = 50
/** How long a restored page may take to reach its former length. */
const PATIENCE_MS = 5_000
const NAME = 'assay-scroll'

type Places = Record<string, number>

/** The name of an entry of the history: browsers without the Navigation API only know its address. */
const entryOf = (): string =>
  (window as { navigation?: { currentEntry?: { key: string } | null } }).navigation?.currentEntry?.key ?? location.href

function readPlaces(): Places {
  try {
    return JSON.parse(sessionStorage.getItem(NAME) ?? '{}') as Places
  } catch {
    return {}
  }
}

/** Starts to keep and restore places; for the whole life of the page. */
export function keepScroll(): void {
  history.scrollRestoration = 'manual'
  const places = new Map(Object.entries(readPlaces()))
  let stop = () => {}
  const note = () => {
    const entry = entryOf()
    places.delete(entry)
    places.set(entry, scrollY)
    for (const oldest of places.keys()) {
      if (places.size <= MOST_KEPT) return
      places.delete(oldest)
    }
  }
  const restore = () => {
    stop()
    stop = scrollWhenLong(places.get(entryOf()) ?? 0)
  }
  addEventListener('scroll', note, { passive: true })
  // A page that was not scrolled itself, such as one with another filter, keeps the position of the previous page.
  document.addEventListener('click', note, { capture: true })
  addEventListener('popstate', restore)
  addEventListener('pagehide', () => {
    note()
    sessionStorage.setItem(NAME, JSON.stringify(Object.fromEntries(places)))
  })
  restore()
}

/** Scrolls once the page is long enough, unless its reader does something before. */
function scrollWhenLong(place: number): () => void {
  const until = performance.now() + PATIENCE_MS
  const ended = new AbortController()
  const step = () => {
    if (ended.signal.aborted) return
    const isLong = document.documentElement.scrollHeight >= place + innerHeight
    if (isLong || performance.now() > until) {
      scrollTo(0, place)
      ended.abort()
    } else requestAnimationFrame(step)
  }
  for (const name of ['wheel', 'touchstart', 'keydown', 'pointerdown'])
    addEventListener(name, () => ended.abort(), { signal: ended.signal, passive: true })
  requestAnimationFrame(step)
  return () => ended.abort()
}
