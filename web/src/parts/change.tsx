// A change in percent, with its sign and in its colour.
import { percent, percentTone } from '../format.ts'
import { Dash } from './known.tsx'

export const Change = ({ pct }: { pct: number | null }) =>
  pct === null ? <Dash /> : <span class={percentTone(pct)}>{percent(pct, true)}</span>

/** Where the risk is critical a gain has no colour: who cannot sell lifts the price, too. */
export const gainClass = (verdict: { level: string } | null): string | undefined =>
  verdict?.level === 'critical' ? 'no-gain' : undefined
