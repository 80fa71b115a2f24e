// Applies the logs of launch venues: a token is put up for sale, sold along a curve and bought back, and graduates to
// an exchange. The curve is a pool of the token and its quote. Its reserve is the raised amount. The remaining tokens
// are no liquidity, because nobody paid for them. At graduation the curve is emptied, which is no removal.

import type { Address } from '../../base/address.ts'
import { toRaw } from '../../base/amount.ts'
import { curveOf } from '../../chain/contracts/curve.ts'
import type { CurveLog, LogOf } from '../../chain/event.ts'
import { curveKey } from '../../chain/exchanges/venues.ts'
import { nameCreator, noteCurve } from '../pools/launch.ts'
import { addPool, openPool } from '../pools/pools.ts'
import { priced } from '../pools/priced.ts'
import { priceRoot } from '../prices/tick-math.ts'
import type { Actor } from '../rows/events.ts'
import { tokenAt, walletAt } from '../rows/new-rows.ts'
import type { PoolRecord } from '../rows/rows.ts'
import type { Work } from '../rows/working-set.ts'
import type { Fact } from './fact.ts'
import type { LogHandlers } from './handler.ts'
import { put, type Scan, seePool, seeToken } from './scan.ts'
import type { TransactionView } from './transaction-view.ts'

/** One, as a curve's fixed-point price. */
const ONE = 10n ** 18n

export const CURVE_LOGS: LogHandlers<CurveLog['kind']> = {
  curve_opened: {
    legs: 'any',
    scan: (found, log) => scanCurve(found, log, log.creator),
    apply: (work, log) => {
      nameCreator(work, tokenAt(work, log.token), walletAt(work, log.creator))
      const pool = curveAt(work, log)
      if (pool) noteCurve(work, pool, log.token, walletAt(work, log.creator))
    },
  },
  curve_swap: { legs: 'any', scan: (found, log) => scanCurve(found, log, log.trader), tell: trade },
  curve_closed: { legs: 'any', scan: (found, log) => scanCurve(found, log, null), tell: close },
}

/** A curve is a pool of its venue, and its log names the trader or the creator of the token. */
function scanCurve(found: Scan, log: CurveLog, who: Address | null): void {
  const pool = curveKey(log.token, log.address)
  seeToken(found, log.token)
  seePool(found, pool)
  found.wallets.add(log.address)
  if (!who) return
  found.wallets.add(who)
  put(found.signers, pool, who)
}

/** The venue knows the trader; the signer may be a bot that buys for others. */
function traderOf(work: Work, { trader }: LogOf<'curve_swap'>, self: Actor): Actor {
  const wallet = walletAt(work, trader)
  return wallet === self.wallet ? self : { wallet, signer: self.signer, attribution: 'venue' }
}

/** The token's curve, created on first sight. */
function curveAt(work: Work, { kind, address: venue, token }: CurveLog): PoolRecord | null {
  const key = curveKey(token, venue)
  const known = work.store.pools.find(key)
  if (known) return known
  const { factories, wrappedNative } = work.known
  const factory = factories.get(venue)
  if (!factory || token === wrappedNative) return null
  const unasked = () => curveOf({ address: venue, launchpad: factory.launchpad }, token, wrappedNative, null)
  // A curve that is first seen trading is older than the start block.
  return (kind === 'curve_opened' ? openPool : addPool)(work, key, work.found.pools.get(key) ?? unasked())
}

function trade(work: Work, log: LogOf<'curve_swap'>, { self }: TransactionView): readonly Fact[] {
  const pool = curveAt(work, log)
  if (!pool) return []
  const actor = traderOf(work, log, self)
  const { isBuy, amount, paid, price } = log
  const [amount0, amount1] = isBuy ? [-amount, paid] : [amount, -paid]
  const reserve0 = log.left ?? toRaw(pool.reserve0 + amount0)
  const reserve1 = log.raised ?? toRaw(pool.reserve1 + amount1)
  return [
    priced(pool, { reserve0, reserve1, sqrtPriceX96: priceRoot(price, ONE) }),
    { kind: 'swapped', log, pool, amount0, amount1, actor },
  ]
}

function close(work: Work, log: LogOf<'curve_closed'>): readonly Fact[] {
  const pool = curveAt(work, log)
  return pool ? [{ kind: 'closed', pool }] : []
}
