// What became of each level, by chain: the first folder of a chain's last market, because folders of one market share
// their tokens. Other chains get the first folders of all markets together.
import { RISK_LEVELS } from '../../src/base/vocabulary.ts'
import type { AlikeCount, AlikeCounts } from '../../src/verdict/alike.ts'
import type { CountedLevels } from './exam.ts'

/** `levels`: of a chain the folders of its newest market come first. */
export function mergeLevels(levels: readonly CountedLevels[]): AlikeCounts {
  const markets = [...new Map(levels.toReversed().map((one) => [one.market, one])).values()].toReversed()
  const chains = new Map(markets.toReversed().map(({ chainId, counts }) => [String(chainId), counts]))
  return { chains: Object.fromEntries(chains), others: addUp(markets.map(({ counts }) => counts)) }
}

const addUp = (all: readonly (readonly AlikeCount[])[]): AlikeCount[] => {
  const ages = [...new Set(all.flat().map(({ ageHours }) => ageHours))]
  return ages.flatMap((ageHours) =>
    RISK_LEVELS.map((level) => {
      const own = all.flat().filter((count) => count.ageHours === ageHours && count.level === level)
      const sum = (name: 'tokens' | 'pulled') => own.reduce((total, count) => total + count[name], 0)
      return { ageHours, level, tokens: sum('tokens'), pulled: sum('pulled') }
    }),
  )
}
