// A wallet's open or closed positions, a page at a time. Both choices are in the address.
import { useChainLocation } from '../chain.ts'
import { POSITIONS_SIZE, type WalletData } from '../pages/wallet-query.ts'
import type { CsvSource } from './csv-button.tsx'
import { Pages } from './pages.tsx'
import { Panel } from './panel.tsx'
import { PositionTable } from './position-table.tsx'

/** Closed positions have no value to order by. */
export const POSITION_KINDS = {
  open: { name: 'Open', orderBy: 'value_usd' },
  closed: { name: 'Closed', orderBy: 'last_at' },
} as const

export type PositionKind = keyof typeof POSITION_KINDS

interface PositionPanelProps {
  positions: WalletData['positions']
  /** Whether they are a trader's; otherwise only holdings are shown. */
  isTraded: boolean
  /** The wallet pulled liquidity. */
  isPulled: boolean
  status: PositionKind
  page: number
  onStatus(status: PositionKind): void
  csv: CsvSource
  request: { document: string; variables: unknown }
}

export function PositionPanel({
  positions,
  isTraded,
  isPulled,
  status,
  page,
  onStatus,
  csv,
  request,
}: PositionPanelProps) {
  const { path, query, route } = useChainLocation()
  const turn = (to: number) => {
    const { page: _, ...rest } = query
    route(`${path}?${new URLSearchParams({ ...rest, ...(to > 1 && { page: String(to) }) })}`, true)
  }
  return (
    <Panel
      title={isTraded ? 'Positions' : 'Holdings'}
      csv={csv}
      request={request}
      aside={
        isTraded && (
          <fieldset class="row" aria-label="Which positions">
            {(Object.keys(POSITION_KINDS) as PositionKind[]).map((kind) => (
              <button
                key={kind}
                type="button"
                class="chip"
                aria-pressed={kind === status}
                onClick={() => onStatus(kind)}
              >
                {POSITION_KINDS[kind].name}
              </button>
            ))}
          </fieldset>
        )
      }
    >
      <PositionTable
        positions={positions.nodes}
        isClosed={status === 'closed'}
        isTraded={isTraded}
        isPulled={isPulled}
      />
      {(positions.total > POSITIONS_SIZE || page > 1) && (
        <Pages
          page={page}
          size={POSITIONS_SIZE}
          total={positions.total}
          isFull={positions.nodes.length === POSITIONS_SIZE}
          onPage={turn}
        />
      )}
    </Panel>
  )
}
