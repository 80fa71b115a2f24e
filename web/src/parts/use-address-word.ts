// A choice in the address, so that a reload and a link keep it. It replaces the current address: going back leaves the
// page.
import { useChainLocation } from '../chain.ts'

/** The chosen one of `words`, null for none; and a function that chooses. */
export function useAddressWord<Word extends string>(
  name: string,
  words: readonly Word[],
): [Word | null, (chosen: Word | null) => void] {
  const { path, query, route } = useChainLocation()
  const chosen = words.find((word) => word.toLowerCase() === query[name]) ?? null
  const choose = (word: Word | null) => {
    // Another list begins with its first page.
    const { [name]: _, page: _page, ...rest } = query
    const search = new URLSearchParams(word === null ? rest : { ...rest, [name]: word.toLowerCase() }).toString()
    route(search === '' ? path : `${path}?${search}`, true)
  }
  return [chosen, choose]
}
