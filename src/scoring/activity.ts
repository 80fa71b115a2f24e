// What holders do: seven days of holding -> accumulating, distributing, neutral, inactive.
import type { NetActivity } from '../base/vocabulary.ts'
import { ACTIVITY } from './weights.ts'

/** The change of a holding (whole tokens) over seven days; not known before counts as neutral. */
export function toNetActivity(now: number, weekAgo: number | null): NetActivity {
  if (weekAgo === null) return 'neutral'
  if (weekAgo <= 0) return now > 0 ? 'accumulating' : 'inactive'
  if (now <= ACTIVITY.left * weekAgo) return 'inactive'
  const change = now - weekAgo
  const enough = ACTIVITY.change * weekAgo
  return change > enough ? 'accumulating' : change < -enough ? 'distributing' : 'neutral'
}
