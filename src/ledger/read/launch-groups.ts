// Reads the wallets around the launches of tokens, and the events that moved their holdings. Two statements, whatever the
// number of tokens; both read the same bounded number of events of each.
import { DIRECTION_ID, EVENT_TYPE_ID } from '../../base/vocabulary.ts'
import type { LaunchFacts, LaunchMove, LaunchReadRules, LaunchWalletFacts } from '../launch-groups.ts'
import { epoch, firstEvents, launchPeople } from '../launch-people.ts'
import type { Reading, SelectText } from './consistent-read.ts'

const { swap, liquidity_add, transfer } = EVENT_TYPE_ID

/** A wallet of a token, or with nulls in place of the wallet a token without any. */
type WalletRow = Omit<LaunchFacts, 'wallets' | 'moves'> &
  ({ walletId: null } | LaunchWalletFacts) & { firstBuyAt: number | null }

interface EventRow {
  tokenId: number
  block: number
  time: number
  walletId: number
  counterpartyId: number | null
  type: number
  isBuy: boolean
  quantity: number
}

const MOVES: SelectText = `SELECT k.id AS "tokenId", e.block_number AS block, ${epoch('e.time')} AS time, e.wallet_id AS "walletId",
    e.counterparty_id AS "counterpartyId", e.type, coalesce(e.direction = ${DIRECTION_ID.buy}, false) AS "isBuy", e.quantity
  FROM unnest($1::int[]) AS k (id)
  CROSS JOIN LATERAL ${firstEvents('k.id', '*')} e
  WHERE e.wallet_id = ANY ($3::int[]) OR e.counterparty_id = ANY ($3::int[])
  ORDER BY k.id, e.token_n`

/** The facts of the launches, in any order. */
export async function readLaunchFacts(
  reading: Reading,
  tokenIds: readonly number[],
  rules: LaunchReadRules,
): Promise<LaunchFacts[]> {
  const rows = await reading.query<WalletRow>({
    name: 'launch people',
    text: `SELECT x.* ${launchPeople(rules)}`,
    values: [tokenIds, rules.events, rules.seconds],
  })
  const launches = new Map<number, LaunchFacts>()
  const walletIds = new Set<number>()
  for (const row of rows) {
    const { tokenId, openedAt, openedBlock, isMoney, hasFirstEvents, hasDeployer, seenSince, circulating, ...wallet } =
      row
    const launch = launches.get(tokenId) ?? {
      ...{ tokenId, openedAt, openedBlock, isMoney, hasFirstEvents, hasDeployer, seenSince, circulating },
      ...{ wallets: [], moves: [] },
    }
    launches.set(tokenId, launch)
    if (wallet.walletId === null) continue
    launch.wallets.push(wallet)
    walletIds.add(wallet.walletId)
  }
  if (walletIds.size > 0) await addMoves(reading, launches, [...walletIds], rules)
  return [...launches.values()]
}

async function addMoves(
  reading: Reading,
  launches: ReadonlyMap<number, LaunchFacts>,
  walletIds: readonly number[],
  { events }: LaunchReadRules,
): Promise<void> {
  const peopled = [...launches.values()].filter(({ wallets }) => wallets.length > 0)
  const rows = await reading.query<EventRow>({
    name: 'launch moves',
    text: MOVES,
    values: [peopled.map(({ tokenId }) => tokenId), events, walletIds],
  })
  const members = new Map(peopled.map((launch) => [launch.tokenId, new Set(launch.wallets.map((it) => it.walletId))]))
  for (const row of rows) {
    const known = members.get(row.tokenId)
    launches.get(row.tokenId)?.moves.push(...toMoves(row).filter(({ walletId }) => known?.has(walletId)))
  }
}

/** What an event did to the holdings of its wallet and its counterparty. */
function toMoves({ block, time, walletId, counterpartyId, type, isBuy, quantity }: EventRow): LaunchMove[] {
  const move = (id: number, change: number, isSale = false) => ({ walletId: id, block, time, change, isSale })
  if (type === swap) return [move(walletId, isBuy ? quantity : -quantity, !isBuy)]
  if (type === transfer)
    return counterpartyId === walletId || counterpartyId === null
      ? [move(walletId, counterpartyId === null ? -quantity : 0)]
      : [move(walletId, -quantity), move(counterpartyId, quantity)]
  return [move(walletId, type === liquidity_add ? -quantity : quantity)]
}
