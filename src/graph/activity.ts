// What a holder did over the past week, from the position's openings.
import { dayOf } from '../base/clock.ts'
import { heldAtStart } from '../base/opening.ts'
import type { NetActivity } from '../base/vocabulary.ts'
import { type Head, weekAgo } from '../ledger/head.ts'
import { toNetActivity } from '../scoring/activity.ts'

/** A holding with its past: of a holder or of a portfolio. */
export interface Holding {
  quantity: number
  openingDays: number[] | null
  openings: number[] | null
  firstAt: Date
}

/** The activity as of the head block; what was not there a week ago was nothing then. */
export function netActivityOf({ quantity, openingDays, openings, firstAt }: Holding, head: Head): NetActivity {
  const day = dayOf(weekAgo(head).getTime() / 1000)
  const before =
    dayOf(firstAt.getTime() / 1000) >= day ? 0 : heldAtStart(day, openingDays ?? [], openings ?? [], quantity)
  return toNetActivity(quantity, before)
}
