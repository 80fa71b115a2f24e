// The arguments of a screen: filter, order, length, and the place where a reader continues. An error names every fault.
import { invalid } from '../../base/errors.ts'
import { DEFAULT_LIMIT, MAX_LIMIT } from '../../base/page.ts'
import { isScreenPlace, SCREEN_SORTS, type ScreenQuestion } from '../../stream/screens.ts'
import { countFaults } from '../cost/page-arguments.ts'
import { builder } from '../schema/builder.ts'
import { described } from '../schema/vocabulary.ts'
import { type GivenScreen, readScreen } from '../types/screen.ts'

const TEXTS: Record<(typeof SCREEN_SORTS)[number], string> = {
  trending: 'The highest trending score first.',
  newest: 'The newest first.',
  liquidity: 'The most liquidity first.',
  volume: 'The most volume of a day first.',
  risk_asc: 'The lowest risk score first.',
}

export const ScreenSortEnum = builder.enumType('ScreenSort', {
  description: 'An order in which a list of tokens can be followed: it changes with what happens, not with time alone.',
  values: described(SCREEN_SORTS, TEXTS),
})

interface Asked {
  filter?: GivenScreen | null | undefined
  orderBy?: ScreenQuestion['sort'] | null | undefined
  first?: number | null | undefined
  after?: string | null | undefined
}

export function readScreenQuestion(asked: Asked): { question: ScreenQuestion; place: string | null } {
  const { filter, orderBy, first, after = null } = asked
  const faults = countFaults({ first })
  if (after !== null && !isScreenPlace(after)) {
    const message = 'after must be the id of a message of a screen, such as 5661.5ce2d520.90ab12cd34ef5678'
    faults.push({ location: 'argument', field: 'after', message })
  }
  if (faults.length > 0) throw invalid(faults)
  const limit = Math.min(first ?? DEFAULT_LIMIT, MAX_LIMIT)
  return { question: { screen: readScreen(filter ?? {}, 'filter'), sort: orderBy ?? 'trending', limit }, place: after }
}
