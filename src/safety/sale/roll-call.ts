// The candidates outside the sample send to the pool as well, because a blacklist may hit a few holders alone. Input:
// the sample and its sends. Output: the other holders' sends. It asks only where a few may be refused.
import type { Address } from '../../base/address.ts'
import type { Asker } from '../node/asker.ts'
import type { SafetyTarget } from '../target.ts'
import { findPoor } from './balances.ts'
import { isFresh, pauseOf } from './pause.ts'
import type { HolderSample, SampledHolder } from './sample.ts'
import { endedAs, plansOf, type SendAnswer, type SendSetting, trySends } from './sends.ts'

export interface RollCall {
  /** The holders that were asked. */
  others: readonly SampledHolder[]
  otherSends: readonly SendAnswer[]
  /** The refused ones of recent buyers, a day later. */
  otherRestedSends: readonly SendAnswer[]
}

export const NO_ROLL_CALL: RollCall = { others: [], otherSends: [], otherRestedSends: [] }

/** Where a request is shared, the others are tried along with the sample, and dropped if that adds nothing. */
export async function callRoll(
  asker: Asker,
  target: SafetyTarget,
  { others }: HolderSample,
  keeper: Address,
  sampling: Promise<readonly SendAnswer[]>,
  setting: SendSetting,
): Promise<RollCall> {
  const { token, seed } = target
  const plans = plansOf(token, keeper, others)
  const early = isExpected(target) && asker.sharesTries() ? trySends(asker, plans, setting) : null
  const [sampled, tried] = await Promise.all([sampling, early])
  if (!isDue(target, sampled)) return NO_ROLL_CALL
  const sends = tried && asker.sharesTries() ? tried : await trySends(asker, plans, setting)
  const refused = endedAs('refused', others, sends)
  const poor = await findPoor(asker, token, refused)
  const fresh = setting.canWait ? refused.filter(isFresh) : []
  return {
    others: others.filter(({ address }) => !poor.has(address)),
    otherSends: sends,
    otherRestedSends: await trySends(asker, plansOf(token, keeper, fresh), { ...setting, laterSeconds: pauseOf(seed) }),
  }
}

/** A first check or a known power calls for it. */
const isExpected = ({ known }: SafetyTarget): boolean =>
  known === null || known.powers.some(({ renounced }) => !renounced)

/** So does a refusal. Where most of the sample is refused, it adds nothing. */
function isDue(target: SafetyTarget, sampled: readonly SendAnswer[]): boolean {
  const refused = sampled.filter(({ outcome }) => outcome === 'refused').length
  return refused * 2 <= sampled.length && (isExpected(target) || refused > 0)
}
