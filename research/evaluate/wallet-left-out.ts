// How well a reputation with weights fitted to some wallets predicts the later profit of others. The served weights
// were rounded from a fit to all of them, so their own figure is not held out.
import type { WalletReputation } from '../../src/scoring/wallet-reputation.ts'
import { fitRidge, type RidgeColumn } from '../statistics/fit-ridge.ts'
import { areaUnderCurve, createRandom } from '../statistics/metrics.ts'

/** The dimensions of the reputation that data can weigh. */
const FITTED = ['winRate', 'consistency', 'holding', 'sales'] as const
const PARTS = 5
const DRAWS = 20
const L2 = 1

export interface JudgedWallet {
  /** Whether the trades opened later made a profit in sum. */
  positive: boolean
  /** The values of the fitted dimensions, 0-1. */
  values: readonly number[]
}

/** The fit's inputs from a reputation. */
export const listFitted = ({ explanation }: WalletReputation): number[] =>
  FITTED.map((name) => (explanation.dimensions.find((dimension) => dimension.name === name)?.value ?? 50) / 100)

/** The AUC of wallets judged by weights that were fitted to the other four fifths, the mean over twenty divisions into fifths. */
export function judgeLeftOut(wallets: readonly JudgedWallet[], seed: number): number | null {
  const random = createRandom(seed)
  const areas: number[] = []
  for (let draw = 0; draw < DRAWS; draw++) {
    const parts = new Map(wallets.map((wallet) => [wallet, Math.floor(random() * PARTS)]))
    const judged = Array.from({ length: PARTS }, (_, part) => {
      const weights = fitWeights(wallets.filter((wallet) => parts.get(wallet) !== part))
      const own = wallets.filter((wallet) => parts.get(wallet) === part)
      return own.map(({ positive, values }) => ({ positive, score: weigh(values, weights) }))
    })
    const area = areaUnderCurve(judged.flat())
    if (area !== null) areas.push(area)
  }
  return areas.length > 0 ? areas.reduce((sum, area) => sum + area, 0) / areas.length : null
}

function fitWeights(wallets: readonly JudgedWallet[]): number[] {
  const columns = FITTED.map(
    (_, at): RidgeColumn => ({
      values: Float64Array.from(wallets, ({ values }) => (values[at] ?? 0.5) - 0.5),
      low: -99,
      high: 99,
    }),
  )
  const rows = { positive: wallets.map(({ positive }) => positive), weights: new Float64Array(wallets.length).fill(1) }
  return fitRidge(columns, rows, L2).coefficients
}

const weigh = (values: readonly number[], weights: readonly number[]): number =>
  values.reduce((sum, value, at) => sum + (value - 0.5) * (weights[at] ?? 0), 0)
