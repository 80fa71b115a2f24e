// Computes a holder's activity over the past week, from the opening balances that the position stores.
import { dayOf } from '../../base/clock.ts'
import { heldAtStart } from '../../base/opening.ts'
import type { NetActivity } from '../../base/vocabulary.ts'
import { type Head, weekAgo } from '../../ledger/head.ts'
import { toNetActivity } from '../../scoring/activity.ts'

/** A holding with its opening balances, from a list of holders or a portfolio. */
export interface Holding {
  quantity: number
  openingDays: number[] | null
  openings: number[] | null
  firstAt: Date
}

/** The activity up to the head block. A holding that did not exist a week ago counts as 0 then. */
export function netActivityOf({ quantity, openingDays, openings, firstAt }: Holding, head: Head): NetActivity {
  const day = dayOf(weekAgo(head).getTime() / 1000)
  const before =
    dayOf(firstAt.getTime() / 1000) >= day ? 0 : heldAtStart(day, openingDays ?? [], openings ?? [], quantity)
  return toNetActivity(quantity, before)
}
