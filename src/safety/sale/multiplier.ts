// The multiplier of a token's shown amounts. (ERC-8056: shown = raw x multiplier / 1e18; pools, Transfers and `balanceOf`
// stay raw.) Input: the token. Output: the multiplier at the checked block, and a scheduled one. The scheduled one takes
// effect without a log, so each check asks.
import type { Address } from '../../base/address.ts'
import { readUint } from '../../chain/contracts/abi.ts'
import { callData, selectorOf } from '../../chain/contracts/words.ts'
import type { Asker } from '../node/asker.ts'
import { READ_GAS } from '../node/gas.ts'
import type { Reply } from '../node/reply.ts'
import type { Multiplier } from '../report.ts'
import type { HeldBalance } from './balances.ts'

const QUESTIONS = ['uiMultiplier()', 'newUIMultiplier()', 'effectiveAt()'].map((signature) =>
  callData(selectorOf(signature)),
)
/** A multiplier of 1. */
const ONE = 10n ** 18n
/** Larger numbers are no multiplier: a contract answers what it likes. */
const MOST = ONE * 10n ** 9n
/** The last second that dates have. */
const MOST_SECONDS = 8_640_000_000_000n
/** A share of this many is a rounding error. */
const PARTS = 10_000n

/** Null: the token has none. */
export async function askMultiplier(asker: Asker, token: Address): Promise<Multiplier | null> {
  const replies = await asker.ask(
    QUESTIONS.map((data) => ({ method: 'eth_call', params: [{ to: token, data, gas: READ_GAS }, asker.block.tag] })),
  )
  const [now, next, effectiveAt] = replies.map(wordOf)
  if (now == null || now === 0n || now > MOST) return null
  const isAhead = next != null && next !== 0n && next <= MOST && next !== now
  const isDated = effectiveAt != null && effectiveAt > BigInt(asker.block.time) && effectiveAt < MOST_SECONDS
  return {
    value: toNumber(now),
    next: isAhead && isDated ? { value: toNumber(next), effectiveAt: Number(effectiveAt) } : null,
    raw: now.toString(),
  }
}

const wordOf = (reply: Reply | undefined): bigint | null => (reply?.kind === 'result' ? readUint(reply.result) : null)

const toNumber = (scaled: bigint): number => Number(scaled) / Number(ONE)

/** A token that answers `balanceOf` in shown amounts has what its Transfers say: such answers become raw again. */
export function toRawBalances(balances: readonly HeldBalance[], multiplier: Multiplier | null): HeldBalance[] {
  if (multiplier === null) return [...balances]
  const scale = BigInt(multiplier.raw)
  return balances.map((balance) => {
    const { expected, found } = balance
    const shown = (expected * scale) / ONE
    const apart = found === null ? null : found > shown ? found - shown : shown - found
    return apart !== null && apart * PARTS <= shown ? { ...balance, found: expected } : balance
  })
}
