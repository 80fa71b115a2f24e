import { expect, it } from 'vitest'
import { MOST_PARTS } from '../../../src/graph/types/explanation.ts'
import { scoreToken } from '../../../src/scoring/token-risk.ts'
import { scoreWallet } from '../../../src/scoring/wallet-reputation.ts'
import { holder, NOW, pool, swap, token, wallet, walletSwap } from '../../support/facts.ts'

it('the lists of an explanation are no longer than the budget of a query assumes', () => {
  const facts = [
    token(),
    token({ partial: true, holders: [holder(1, 0.9)], pools: [pool()], swaps: [swap(), swap({ time: NOW - 60 })] }),
  ]
  const explanations = [
    ...facts.map((of) => scoreToken(of).explanation),
    ...[wallet(), wallet({ swaps: [walletSwap(), walletSwap()] })].map((of) => scoreWallet(of).explanation),
  ]
  for (const { dimensions, contributions, floors, confidenceReasons } of explanations) {
    expect(dimensions.length).toBeGreaterThan(0)
    const lengths = {
      dimensions: dimensions.length,
      inputs: Math.max(...dimensions.map(({ inputs }) => inputs.length)),
      contributions: contributions.length,
      floors: floors.length,
      confidenceReasons: confidenceReasons.length,
    }
    for (const [name, most] of Object.entries(MOST_PARTS)) {
      expect(lengths[name as keyof typeof MOST_PARTS], name).toBeLessThanOrEqual(most)
    }
  }
})
