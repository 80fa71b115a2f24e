// Asks the chain for the opening balances of new holders. No log told them, because the token is older than the index, or
// was made without one. A holder is asked once, at a block that follows from the chain alone.
import type { Address } from '../../../base/address.ts'
import type { RowStore } from '../../../book/rows/row-store.ts'
import { holdingKey, type Learnt } from '../../../book/rows/working-set.ts'
import type { PoolMetadata } from '../../../chain/contracts/reader.ts'
import type { DecodedLog } from '../../../chain/event.ts'
import { askByBlock, type ChainSources } from './chain.ts'
import type { Batch } from './grouped.ts'

/** Holders by token. */
export type Pairs = ReadonlyMap<Address, ReadonlySet<Address>>

/**
 * Balances are read at the last block before a log whose number is a multiple of this, so that many holders share one
 * request. A node without an archive keeps the state of 128 blocks.
 */
const SHARED_BLOCKS = 64

interface Question {
  token: Address
  holder: Address
  /** The first block of the batch that moves the holder's balance, and by how much; the first of all without a move. */
  seen: number
  net: bigint
  /** The block at whose end the balance is read. */
  block: number
}

/** Reads the opening balances of new holders of such tokens. Keys are `holdingKey`s. */
export async function prefetchOpenings(
  { store, reader, known, isTheirs }: ChainSources,
  pairs: Pairs,
  found: Pick<Learnt, 'pools' | 'tokens'>,
  batch: Batch,
): Promise<Learnt['openings']> {
  const questions = [...pairs]
    .filter(([token]) => hasUnlogged(store, found.tokens, token))
    .flatMap(([token, holders]) => newHolders(store, token, holders).map((holder) => ({ token, holder })))
    .filter(({ token, holder }) => !isTheirs(token, holder))
  if (questions.length === 0) return new Map()
  const placed = place(questions, { store, known }, batch)
  const answers = await askByBlock(
    placed,
    ({ block }) => block,
    async (asked, block) => {
      const balances = await reader.readBalances(asked, block)
      return new Map(asked.map((question, at) => [question, balances[at] ?? null]))
    },
  )
  return new Map(
    placed.map((question) => {
      const { token, holder } = question
      return [holdingKey(token, holder), openingOf(question, answers.get(question) ?? null, found.pools.get(holder))]
    }),
  )
}

/** The balance before the holder's first log. */
function openingOf({ token, seen, net, block }: Question, balance: bigint | null, pool?: PoolMetadata): bigint {
  if (balance === null) return reserveOf(pool, token)
  const opening = block === seen ? balance - net : balance
  return opening > 0n ? opening : 0n
}

/** The reserve that a confirmed V3 pool reported, for a token that does not answer. */
function reserveOf(pool: PoolMetadata | undefined, token: Address): bigint {
  if (pool?.kind !== 'v3') return 0n
  return token === pool.token0 ? pool.reserve0 : token === pool.token1 ? pool.reserve1 : 0n
}

/** Whether a part of the token's supply has no log. */
const hasUnlogged = (store: RowStore, described: Learnt['tokens'], token: Address): boolean =>
  store.tokens.find(token)?.partial ?? Boolean(described.get(token)?.openingSupply)

/** The holders that never held the token before. */
function newHolders(store: RowStore, token: Address, holders: ReadonlySet<Address>): Address[] {
  const tokenId = store.tokens.find(token)?.id
  if (tokenId === undefined) return [...holders]
  return [...holders].filter((holder) => {
    const walletId = store.wallets.find(holder)?.id
    return walletId === undefined || store.positions.get(tokenId, walletId) === undefined
  })
}

/** Gives each question its block: the shared one before its first log, or the token's first if that is later. */
function place(
  questions: readonly Pick<Question, 'token' | 'holder'>[],
  { store, known }: Pick<ChainSources, 'store' | 'known'>,
  { blocks, transactions, scanned }: Batch,
): Question[] {
  const first = blocks[0]?.number ?? 0
  const tokens = new Set(questions.map(({ token }) => token))
  const moves = new Map<string, Pick<Question, 'seen' | 'net'>>()
  for (const [at, { number }] of blocks.entries())
    for (const [, logs] of transactions[at] ?? [])
      for (const log of logs) if (tokens.has(log.address)) noteMove(moves, known.wrappedNative, number, log)
  return questions.map(({ token, holder }) => {
    const { seen, net } = moves.get(holdingKey(token, holder)) ?? { seen: first, net: 0n }
    const born = store.tokens.find(token)?.createdBlock ?? scanned.tokens.get(token) ?? first
    const shared = Math.floor((seen - 1) / SHARED_BLOCKS) * SHARED_BLOCKS
    return { token, holder, seen, net, block: Math.max(shared, Math.min(born, seen)) }
  })
}

/** Adds up the moves of a holder in the first block that has one. */
function noteMove(
  moves: Map<string, Pick<Question, 'seen' | 'net'>>,
  wrapped: Address,
  block: number,
  log: DecodedLog,
): void {
  const add = (holder: Address, amount: bigint) => {
    const key = holdingKey(log.address, holder)
    const move = moves.get(key)
    if (!move) moves.set(key, { seen: block, net: amount })
    else if (move.seen === block) move.net += amount
  }
  const isWrapped = log.address === wrapped
  const isMove = log.kind === 'transfer' || log.kind === 'fee_paid'
  if (isMove || (isWrapped && log.kind === 'withdrawal')) add(log.from, -log.amount)
  if (isMove || (isWrapped && log.kind === 'deposit')) add(log.to, log.amount)
}
