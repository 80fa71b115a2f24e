// The chance that the liquidity is pulled within 30 days: the share of tokens of this age, moved by the model's result
// for this one.
import { PULL_CHANCE } from './weights.ts'

/** 0-1, from the fitted log-odds and the hours since the first liquidity. */
export function pullChance(logOdds: number, ageHours: number): number {
  const { intercept, logOdds: byModel, prior } = PULL_CHANCE
  return 1 / (1 + Math.exp(-(intercept + byModel * logOdds + prior * logit(chanceByAge(ageHours)))))
}

/** Share of tokens of this age that were pulled within 30 days: between two ages by the logarithm of the hours. */
function chanceByAge(hours: number): number {
  let [earlier, before]: readonly [number, number] = PULL_CHANCE.byAge[0]
  if (hours <= earlier) return before
  for (const [age, chance] of PULL_CHANCE.byAge) {
    if (hours < age) return before + ((chance - before) * Math.log(hours / earlier)) / Math.log(age / earlier)
    ;[earlier, before] = [age, chance]
  }
  return before
}

const logit = (chance: number): number => Math.log(chance / (1 - chance))
