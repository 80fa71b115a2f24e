// The star of a token: whether the reader watches it.
import { foreign } from '../format.ts'
import { MOST_WATCHED, toggled, watchlist } from '../kept/watchlist.ts'

export function StarButton({ address, symbol }: { address: string; symbol: string }) {
  const list = watchlist.now.value
  const isWatched = list.includes(address)
  const isFull = !isWatched && list.length >= MOST_WATCHED
  return (
    <button
      type="button"
      class="star"
      aria-label={`Watch ${foreign(symbol, 16)}`}
      aria-pressed={isWatched}
      title={isFull ? `The watchlist is full: it has ${MOST_WATCHED} tokens.` : 'Watch it'}
      disabled={isFull}
      onClick={() => watchlist.set(toggled(list, address))}
    >
      {isWatched ? '★' : '☆'}
    </button>
  )
}
