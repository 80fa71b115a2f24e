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

export async function callRoll(
  asker: Asker,
  target: SafetyTarget,
  { others }: HolderSample,
  keeper: Address,
  sampled: readonly SendAnswer[],
  setting: SendSetting,
): Promise<RollCall> {
  if (!isDue(target, sampled)) return NO_ROLL_CALL
  const { token, seed } = target
  const sends = await trySends(asker, plansOf(token, keeper, others), setting)
  const refused = endedAs('refused', others, sends)
  const poor = await findPoor(asker, token, refused)
  const fresh = setting.canWait ? refused.filter(isFresh) : []
  return {
    others: others.filter(({ address }) => !poor.has(address)),
    otherSends: sends,
    otherRestedSends: await trySends(asker, plansOf(token, keeper, fresh), { ...setting, laterSeconds: pauseOf(seed) }),
  }
}

/** A first check, a known power or a refusal calls for it. Where most of the sample is refused, it adds nothing. */
function isDue({ known }: SafetyTarget, sampled: readonly SendAnswer[]): boolean {
  const refused = sampled.filter(({ outcome }) => outcome === 'refused').length
  if (refused * 2 > sampled.length) return false
  return known === null || refused > 0 || known.powers.some(({ renounced }) => !renounced)
}
