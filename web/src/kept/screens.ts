// Screens: lists of tokens that the reader named, as addresses of the tokens' page.
import { foreign } from '../format.ts'
import { viewOf, writeList } from '../view.ts'
import { keep } from './keep.ts'

export interface Screen {
  name: string
  /** Of the tokens' page. */
  address: string
}

export const MOST_SCREENS = 30
export const MOST_NAME = 40
/** A longer address is not one of the page. */
const MOST_ADDRESS = 1_000

/** A screen that was stored, with the words that the page knows; null: it is none. */
function readScreen(stored: unknown): Screen | null {
  const { name, address } = (stored ?? {}) as Partial<Record<keyof Screen, unknown>>
  if (typeof name !== 'string' || name.trim() === '') return null
  if (typeof address !== 'string' || address.length > MOST_ADDRESS || !/^\/(\?|$)/.test(address)) return null
  return { name: foreign(name, MOST_NAME), address: writeList(viewOf(address)) }
}

/** Of two with one name the first stays. */
export function readScreens(stored: unknown): Screen[] {
  if (!Array.isArray(stored)) return []
  const read = stored.slice(0, 10 * MOST_SCREENS).map(readScreen)
  const known = read.filter((screen): screen is Screen => screen !== null)
  return [...new Map(known.reverse().map((screen) => [screen.name, screen])).values()].reverse().slice(0, MOST_SCREENS)
}

export const screens = keep('assay-screens', readScreens)
