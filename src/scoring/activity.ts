// Classifies the activity of holders: the change of a holding over seven days becomes accumulating, distributing,
// neutral or inactive.
import type { NetActivity } from '../base/vocabulary.ts'
import { ACTIVITY } from './weights.ts'

/** Compares a holding (whole tokens) with that of seven days ago; an unknown past is neutral. */
export function toNetActivity(now: number, weekAgo: number | null): NetActivity {
  if (weekAgo === null) return 'neutral'
  if (weekAgo <= 0) return now > 0 ? 'accumulating' : 'inactive'
  if (now <= ACTIVITY.left * weekAgo) return 'inactive'
  const change = now - weekAgo
  const enough = ACTIVITY.change * weekAgo
  return change > enough ? 'accumulating' : change < -enough ? 'distributing' : 'neutral'
}
