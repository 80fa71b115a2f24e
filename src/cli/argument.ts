// Parses command-line options into typed values; an error names the accepted values.
import { InvalidArgumentError } from 'commander'

/** A parser of whole numbers from `min` to `max`; `others` names other accepted values in the error. */
export const parseWhole =
  (min: number, max = 2 ** 31 - 1, others = '') =>
  (text: string): number => {
    const value = Number(text)
    if (!/^\d+$/.test(text) || value < min || value > max) {
      throw new InvalidArgumentError(`It must be a whole number from ${min} to ${max}${others}.`)
    }
    return value
  }

/** A parser of comma-separated words from a closed set, each at most once. */
export const parseWords =
  <T extends string>(words: readonly T[]) =>
  (text: string): T[] => {
    const given = text.split(',').map((part) => part.trim())
    const known = words.filter((word) => given.includes(word))
    if (known.length !== given.length) {
      throw new InvalidArgumentError(`It must be one or more of ${words.join(', ')}, separated by commas, each once.`)
    }
    return known
  }

/** A block number, or the word `head`. */
export const parseUntil = (text: string): number | 'head' =>
  text === 'head' ? 'head' : parseWhole(0, undefined, ', or head')(text)

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** The id of a mail. */
export function parseUuid(text: string): string {
  if (UUID.test(text)) return text
  throw new InvalidArgumentError('It must be an id such as c06bc8b2-00cd-40c6-97da-710227f40aad.')
}
