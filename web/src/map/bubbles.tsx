// The circles and lines of a holder map. One circle is chosen at a time: by pointer, or by the arrow keys.
import { useMemo } from 'preact/hooks'
import { LEAST_RADIUS, placeBubbles } from './layout.ts'
import type { Link } from './query.ts'
import { type MapWallet, tellWallet } from './wallets.ts'

/** In the units of the picture, which is scaled to its place. */
const SIZE = { width: 480, height: 340 }
/** From this radius on an address fits into a circle. */
const NAMED_RADIUS = 24

interface BubblesProps {
  wallets: readonly MapWallet[]
  /** Those of all times, each at its largest. */
  ever: readonly MapWallet[]
  links: readonly Link[]
  chosen: string | null
  onChoose(address: string): void
}

const STEPS: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }

export function Bubbles({ wallets, ever, links, chosen, onChoose }: BubblesProps) {
  const placed = useMemo(
    () =>
      placeBubbles(
        ever,
        links.map(({ from, to }) => [from, to] as const),
        SIZE,
      ),
    [ever, links],
  )
  const places = new Map(placed.map((one) => [one.address, one]))
  const at = wallets.findIndex(({ address }) => address === chosen)
  const onKeyDown = (event: KeyboardEvent) => {
    const next =
      event.key === 'Home' ? 0 : event.key === 'End' ? wallets.length - 1 : Math.max(0, at + (STEPS[event.key] ?? 0))
    const wallet = wallets[Math.min(next, wallets.length - 1)]
    if (!wallet || (!(event.key in STEPS) && event.key !== 'Home' && event.key !== 'End')) return
    event.preventDefault()
    onChoose(wallet.address)
  }
  return (
    <div
      class="bubbles"
      role="listbox"
      tabIndex={0}
      aria-label="Map of holders"
      aria-activedescendant={chosen === null ? undefined : idOf(chosen)}
      onKeyDown={onKeyDown}
    >
      <svg viewBox={`0 0 ${SIZE.width} ${SIZE.height}`} role="none">
        {links.map(({ from, to, kind }) => {
          const [a, b] = [places.get(from), places.get(to)]
          const isOf = from === chosen || to === chosen
          return (
            a &&
            b && (
              <line key={`${from}${to}${kind}`} x1={a.x} y1={a.y} x2={b.x} y2={b.y} class={isOf ? 'of-chosen' : ''} />
            )
          )
        })}
        {wallets.map((wallet) => {
          const place = places.get(wallet.address)
          return (
            place && (
              <Bubble
                key={wallet.address}
                wallet={wallet}
                place={{
                  ...place,
                  radius: Math.max(LEAST_RADIUS, place.radius * Math.sqrt(wallet.pct / place.pct || 0)),
                }}
                isChosen={wallet.address === chosen}
                onChoose={() => onChoose(wallet.address)}
              />
            )
          )
        })}
      </svg>
    </div>
  )
}

interface BubbleProps {
  wallet: MapWallet
  place: { x: number; y: number; radius: number }
  isChosen: boolean
  onChoose(): void
}

function Bubble({ wallet, place, isChosen, onChoose }: BubbleProps) {
  return (
    <g
      id={idOf(wallet.address)}
      role="option"
      aria-selected={isChosen}
      aria-label={tellWallet(wallet)}
      class={`bubble ${wallet.classification === null ? 'hollow' : `class-${wallet.classification}`}${wallet.cluster === null ? '' : ' linked'}`}
      onClick={onChoose}
    >
      <title>{tellWallet(wallet)}</title>
      <circle cx={place.x} cy={place.y} r={place.radius} />
      {place.radius >= NAMED_RADIUS && (
        <text x={place.x} y={place.y}>
          {wallet.address.slice(0, 6)}
        </text>
      )}
    </g>
  )
}

const idOf = (address: string): string => `bubble-${address}`
