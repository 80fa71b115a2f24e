// A change in percent, with its sign and in its colour.
import { percent, percentTone } from '../format.ts'

export const Change = ({ pct }: { pct: number | null }) =>
  pct === null ? <span class="faint">unknown</span> : <span class={percentTone(pct)}>{percent(pct, true)}</span>
