// Pure. Which share of its position a wallet sold or moved away in a block. Input: its moves, and the position around
// the block. A share that the index does not tell is null, never a guess.
import { toQuantity } from '../base/amount.ts'
import { pushTo } from '../base/push-to.ts'
import type { ExitKind, Move, MovedBlock, WalletExit } from '../ledger/alerts/moves.ts'

const sumOf = (moves: readonly Move[], isIn: boolean): number =>
  moves.reduce((sum, move) => (move.isIn === isIn ? sum + move.quantity : sum), 0)
const netOf = (moves: readonly Move[]): number => sumOf(moves, false) - sumOf(moves, true)

/** The moves of each transaction, oldest first. A tax of a sale is a transfer in the same transaction. */
function byTransaction(moves: readonly Move[]): Move[][] {
  const groups = new Map<string, Move[]>()
  for (const move of moves) pushTo(groups, move.tx, move)
  return [...groups.values()]
}

function kindOf(moves: readonly Move[]): ExitKind {
  const out = moves.filter(({ isIn }) => !isIn)
  if (out.some(({ how }) => how === 'swap')) return 'sale'
  return out.some(({ how }) => how === 'liquidity') ? 'liquidity' : 'transfer'
}

/** By how much two sums of rounded quantities may differ. */
const ROUNDING = 1e-9
const DECIMALS = 1e4

/** In percent. A part is never shown as all, and something never as nothing. */
function toPct(share: number): number {
  const pct = Math.round(share * 100 * DECIMALS) / DECIMALS
  if (share < 1 && pct >= 100) return 100 - 1 / DECIMALS
  return share > 0 && pct === 0 ? 1 / DECIMALS : pct
}

/** The exact share of raw units that are gone. */
function rawShare(before: bigint, after: bigint): number {
  const gone = before - after
  return gone === before ? 1 : Number((gone * 10n ** 15n) / before) / 1e15
}

/** The position before each block: kept, or counted back from the one after it. */
function withBefore(blocks: readonly MovedBlock[]) {
  let later: number | null = null
  return blocks
    .toReversed()
    .map((moved) => {
      const { after: raw, before: kept, decimals, moves } = moved
      const after: number | null = raw === null ? later : toQuantity(raw, decimals)
      const counted = after === null ? null : after + netOf(moves)
      const before = kept === null ? counted : toQuantity(kept, decimals)
      later = before
      return { moved, before, after }
    })
    .toReversed()
}

interface Leaving {
  kind: ExitKind
  /** The part of the position that stays; null: not known. */
  stays: number | null
  quantity: number
  usd: number
  tx: string
}

/** What left in the transactions of a block, by kind. */
function findLeaving(moves: readonly Move[], before: number | null): Map<ExitKind, Leaving> {
  const found = new Map<ExitKind, Leaving>()
  let held = before
  for (const group of byTransaction(moves)) {
    const net = netOf(group)
    const kind = kindOf(group)
    const holds = held
    held = held === null ? null : held - net
    if (net <= 0) continue
    const isKnown = holds !== null && holds > 0 && net <= holds * (1 + ROUNDING)
    const stays = isKnown ? Math.max(0, 1 - net / holds) : null
    const { stays: stayed, quantity, usd } = found.get(kind) ?? { stays: 1, quantity: 0, usd: 0 }
    const sold = group.filter(({ how, isIn }) => !isIn && (kind !== 'sale' || how === 'swap'))
    found.set(kind, {
      kind,
      stays: stayed === null || stays === null ? null : stayed * stays,
      quantity: quantity + net,
      usd: usd + sold.reduce((sum, move) => sum + move.usd, 0),
      tx: group[0]?.tx ?? '',
    })
  }
  return found
}

/** The exits of one token of one wallet, from its blocks, oldest first. */
function exitsOf(blocks: readonly MovedBlock[]): WalletExit[] {
  return withBefore(blocks).flatMap(({ moved, before, after }) => {
    const leaving = findLeaving(moved.moves, before)
    // Nothing else moved: the rows tell the share exactly, whatever a contract takes from a transfer.
    const isAlone = leaving.size === 1 && !moved.moves.some(({ isIn }) => isIn)
    const rows = isAlone && moved.before && moved.after !== null && moved.after <= moved.before
    const exact = rows && moved.before && moved.after !== null ? rawShare(moved.before, moved.after) : null
    return [...leaving.values()].map(({ kind, stays, quantity, usd, tx }) => {
      const share = exact ?? (stays === null ? null : 1 - stays)
      const { wallet, block, timeMs } = moved
      const sharePct = share === null ? null : toPct(share)
      return { wallet, kind, sharePct, quantity, leftQuantity: after, usd, block, timeMs, tx }
    })
  })
}

/** The exits of some wallets by token, from their moves, oldest first. */
export function findExits(moved: readonly MovedBlock[]): { tokenId: number; exit: WalletExit }[] {
  const groups = new Map<string, MovedBlock[]>()
  for (const block of moved) pushTo(groups, `${block.tokenId} ${block.wallet}`, block)
  return [...groups.values()].flatMap((blocks) => {
    const tokenId = blocks[0]?.tokenId ?? 0
    return exitsOf(blocks).map((exit) => ({ tokenId, exit }))
  })
}

/** Tells one exit from another of the same token, also on another chain. */
export const keyOfExit = ({ wallet, kind, sharePct, tx }: WalletExit): string =>
  `${wallet} ${kind} ${sharePct ?? 'unknown'} ${tx}`
