// The lists of tokens as links: the watched ones, the ready ones, those the reader saved. Beside them the window that
// gainers and losers are of.
import { whole } from '../format.ts'
import { screens } from '../kept/screens.ts'
import { watchlist } from '../kept/watchlist.ts'
import type { WindowName } from '../time-windows.ts'
import { isSame, type View, viewOf, writeView } from '../view.ts'
import { SavedLists } from './saved-lists.tsx'
import { WindowChoice } from './window-choice.tsx'

interface ListBarProps {
  view: View
  onWindow(window: WindowName): void
}

const READY = [
  ['Trending', '/'],
  ['Gainers', '/?sort=change'],
  ['Losers', '/?sort=change&direction=asc'],
  ['New', '/?sort=age'],
] as const

export function ListBar({ view, onWindow }: ListBarProps) {
  const ready = READY.map(([name, address]) => ({ name, view: { ...viewOf(address), window: view.window } }))
  const saved = screens.now.value.map(({ name, address }) => ({ name, view: viewOf(address) }))
  const watched = watchlist.now.value.length
  return (
    <div class="filters">
      <div class="row slide">
        <nav class="row" aria-label="Lists">
          <a
            class="chip"
            href={writeView({ ...viewOf('/?list=watched'), window: view.window })}
            aria-current={view.isWatched ? 'page' : undefined}
          >
            ★ Watched{watched > 0 && ` ${whole(watched)}`}
          </a>
          {[...ready, ...saved].map(({ name, view: target }) => (
            <a
              key={name}
              class="chip"
              href={writeView(target)}
              aria-current={isSame(target, view) ? 'page' : undefined}
            >
              <bdi>{name}</bdi>
            </a>
          ))}
        </nav>
        <SavedLists view={view} />
        <WindowChoice window={view.window} onChoose={onWindow} />
      </div>
    </div>
  )
}
