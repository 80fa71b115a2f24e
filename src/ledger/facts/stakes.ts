// Looks through gauges: shares that a gauge holds count as their owners', who can withdraw them at any time. The twenty
// largest stakes of each pool are read. The rest stays with the gauge, which is no lock.
import { float64At, int32At, itemAt } from '../../base/item-at.ts'
import type { WalletKind } from '../../base/vocabulary.ts'
import { defineRead, double, integer, listBy, type Reader, seconds, text } from '../../database/column-query.ts'
import type { ProviderFacts } from './facts.ts'

const readStakeRows = defineRead(
  'facts stakes',
  {
    lpId: integer('lp.id'),
    gaugeId: integer('s.gauge_id'),
    ownerId: integer('s.owner_id'),
    address: text('w.address'),
    kind: text<WalletKind>('w.kind'),
    amount: double('s.amount::float8'),
    hasAdded: integer(`(EXISTS (SELECT FROM position b
      WHERE b.token_id = lp.base_id AND b.wallet_id = s.owner_id AND b.liquidity_add_count > 0))::int`),
    since: seconds('w.first_seen_at'),
  },
  (columns) => `SELECT ${columns}
    FROM unnest($1::int[], $2::int[]) AS lp(id, base_id)
    CROSS JOIN LATERAL (
      SELECT gauge_id, owner_id, amount FROM stake WHERE token_id = lp.id AND amount > 0
      ORDER BY amount DESC, gauge_id, owner_id LIMIT 20) s
    JOIN wallet w ON w.id = s.owner_id
    ORDER BY lp.id, s.amount DESC, s.gauge_id, s.owner_id`,
)

/** A part of a gauge's shares. */
export interface StakeFacts {
  gaugeId: number
  ownerId: number
  address?: string | undefined
  kind: WalletKind
  /** Raw shares. */
  amount: number
  hasAdded: boolean
  since: number
}

/** Returns a function that gives the largest stakes of a pool's shares, by the share token's id. */
export async function readStakes(
  client: Reader,
  lpIds: readonly number[],
  tokenIds: readonly number[],
): Promise<(lpId: number) => StakeFacts[]> {
  const rows = await readStakeRows(client, [lpIds, tokenIds])
  return listBy(
    rows.lpId,
    (at): StakeFacts => ({
      gaugeId: int32At(rows.gaugeId, at),
      ownerId: int32At(rows.ownerId, at),
      address: itemAt(rows.address, at),
      kind: itemAt(rows.kind, at),
      amount: float64At(rows.amount, at),
      hasAdded: rows.hasAdded[at] === 1,
      since: float64At(rows.since, at),
    }),
  )
}

/** The providers, with staked shares as their owners'. A gauge cannot lend out more than it holds. Largest first. */
export function lookThrough(
  providers: ProviderFacts[],
  stakes: readonly StakeFacts[],
  supply: number,
): ProviderFacts[] {
  if (stakes.length === 0 || !(supply > 0)) return providers
  const found = new Map(providers.map((provider) => [provider.id, { ...provider }]))
  for (const { gaugeId, ownerId, address, kind, amount, hasAdded, since } of stakes) {
    const gauge = found.get(gaugeId)
    if (!gauge || gaugeId === ownerId) continue
    gauge.hasAdded = true
    // Any contract can log that it keeps shares for a burn address or a lock, and give them to somebody else.
    if (kind !== 'account' && !(kind === 'contract' && hasAdded)) continue
    const share = Math.min(gauge.share, amount / supply)
    gauge.share -= share
    const owner = found.get(ownerId)
    if (owner) owner.share += share
    else found.set(ownerId, { id: ownerId, address, kind, share, hasAdded, since, locks: [] })
  }
  return [...found.values()].filter(({ share }) => share > 0).sort((a, b) => b.share - a.share || a.id - b.id)
}
