// Pairs that log their reserves (Uniswap V2 and its like). A pair is its own share token.
import type { DecodedLog, LogOf } from '../../chain/event.ts'
import { quoteSide, revalue } from '../prices/prices.ts'
import { noteQuoteSide } from '../rows/periods.ts'
import type { Work } from '../rows/working-set.ts'
import { liquidity, swap } from '../trades/trade.ts'
import type { LogHandlers, Surroundings } from './handler.ts'
import { type Scan, scanPool } from './scan.ts'
import { actorOf, poolOfKind, type Scene } from './scene.ts'

/** The log names its pool by logging it. */
const scan = (found: Scan, { address }: DecodedLog, { traders }: Surroundings) => scanPool(found, address, traders)

export const PAIR_LOGS: LogHandlers<'v2_mint' | 'v2_burn' | 'v2_swap' | 'v2_sync'> = {
  v2_mint: { legs: 'pool', scan, apply: change },
  v2_burn: { legs: 'pool', scan, apply: change },
  v2_swap: { legs: 'pool', isSwap: true, scan, apply: trade },
  v2_sync: { scan, apply: sync },
}

function change(work: Work, log: LogOf<'v2_mint' | 'v2_burn'>, scene: Scene): void {
  const pool = poolOfKind(work, log.address, 'v2')
  if (!pool) return
  const { amount0, amount1 } = log
  const actor = actorOf(work, scene, { log, pool, sellsFirst: null })
  const by = { actor, holder: actor.wallet, position: null }
  liquidity(work, { log, pool, isAdd: log.kind === 'v2_mint', amount0, amount1, shares: null, ...by }, scene.doings)
}

function trade(work: Work, log: LogOf<'v2_swap'>, scene: Scene): void {
  const pool = poolOfKind(work, log.address, 'v2')
  if (!pool) return
  const [amount0, amount1] = [log.amount0In - log.amount0Out, log.amount1In - log.amount1Out]
  const actor = actorOf(work, scene, { log, pool, sellsFirst: amount0 > 0n })
  swap(work, { log, pool, amount0, amount1, actor }, scene.doings.deals)
}

function sync(work: Work, log: LogOf<'v2_sync'>): void {
  const pool = poolOfKind(work, log.address, 'v2')
  if (!pool) return
  const before = quoteSide(work, pool)
  pool.reserve0 = log.reserve0
  pool.reserve1 = log.reserve1
  noteQuoteSide(work, pool, before, revalue(work, pool))
}
