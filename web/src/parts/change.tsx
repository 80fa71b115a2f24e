// A change in percent, with its sign and in its colour.
import { percent } from '../format.ts'

export const Change = ({ pct }: { pct: number | null }) =>
  pct === null ? (
    <span class="faint">unknown</span>
  ) : (
    <span class={pct > 0 ? 'up' : pct < 0 ? 'down' : 'faint'}>{percent(pct, true)}</span>
  )
