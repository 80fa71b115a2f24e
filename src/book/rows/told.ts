// What a contract tells of its token can change without a log: name and symbol, decimals behind a proxy, the supply.
// Decides when it is read again, from the chain alone, so that any two runs read at the same blocks. Pure.
import { DAY_SECONDS, HOUR_SECONDS } from '../../base/time.ts'
import type { TokenRecord } from './rows.ts'
import type { Work } from './working-set.ts'

const WEEK_SECONDS = 7 * DAY_SECONDS
/** A token that is younger is read in each minute in which it moves. */
const YOUNG_SECONDS = 600

/** A token that moves is read once in each period of this many seconds, by its age. */
function periodAt(age: number): number {
  if (age < YOUNG_SECONDS) return 60
  if (age < DAY_SECONDS) return 4 * HOUR_SECONDS
  return age < WEEK_SECONDS ? DAY_SECONDS : WEEK_SECONDS
}

/** Of the supply: a mint, or a Transfer beyond the sender's balance, of at least this part is a reason to ask. */
const LARGE_PARTS = 100n

/** Whether it is time to read the contract of a token that moves. The periods are those of the clock. */
export function isDue({ createdAt, toldAt }: Pick<TokenRecord, 'createdAt' | 'toldAt'>, time: number): boolean {
  if (toldAt === null) return true
  const length = periodAt(time - createdAt)
  return Math.floor(time / length) > Math.floor(toldAt / length)
}

/** Whether a contract is ever read again. The preset vouches for the chain's money, and shares are those of a pool. */
export const mayChange = ({ known }: Pick<Work, 'known'>, { indexed, kind, address }: TokenRecord): boolean =>
  indexed && kind !== 'lp' && !known.cash.has(address)

/** Has the contract of a token that moved read again at the end of the block, where it may tell something else. */
export function askAgain(work: Work, token: TokenRecord, unexplained: bigint): void {
  const { number, time } = work.block
  if (!token.indexed || token.toldBlock === number) return
  const isLarge = unexplained > 0n && unexplained * LARGE_PARTS >= token.supply
  if ((isLarge || isDue(token, time)) && mayChange(work, token)) work.again.add(token)
}
