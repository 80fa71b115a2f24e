// A choice that stands in the address, so that a reload and a link keep it. It takes the place of the address before: going back
// leaves the page.
import { useLocation } from 'preact-iso'

/** The chosen one of `words`, null for none; and how to choose. */
export function useAddressWord<Word extends string>(
  name: string,
  words: readonly Word[],
): [Word | null, (chosen: Word | null) => void] {
  const { path, query, route } = useLocation()
  const chosen = words.find((word) => word.toLowerCase() === query[name]) ?? null
  const choose = (word: Word | null) => {
    // Another list begins with its first page.
    const { [name]: _, page: _page, ...rest } = query
    const search = new URLSearchParams(word === null ? rest : { ...rest, [name]: word.toLowerCase() }).toString()
    route(search === '' ? path : `${path}?${search}`, true)
  }
  return [chosen, choose]
}
