// A change in percent, with its sign and in its colour.
import { percent, percentTone } from '../format.ts'
import { Dash } from './known.tsx'

export const Change = ({ pct }: { pct: number | null }) =>
  pct === null ? <Dash /> : <span class={percentTone(pct)}>{percent(pct, true)}</span>
