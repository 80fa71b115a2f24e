// Shifts the times in logs, such as the ends of locks, together with the times of their blocks: a lock of a year stays
// one. The shapes of the events tell which words are times. The recording's contract answers have no times.
import { NEVER } from '../../base/time.ts'
import { EVENT_LIST } from '../logs/events.ts'
import type { RecordedLog } from './recording.ts'

interface Timed {
  topics: number
  /** Data words with seconds since 1970. */
  words: readonly number[]
}

const TIMED: ReadonlyMap<string, readonly Timed[]> = new Map(
  EVENT_LIST.map(({ topic0, shapes }) => [
    topic0,
    shapes
      .map(({ topics, fields }) => ({
        topics,
        words: fields.flatMap(({ place, isTime }) => (isTime && place?.of === 'word' ? [place.at] : [])),
      }))
      .filter(({ words }) => words.length > 0),
  ]),
)

/** The data words of the log that are times. */
export const timesIn = ({ topics }: Pick<RecordedLog, 'topics'>): readonly number[] =>
  TIMED.get(topics[0] ?? '')?.find((timed) => timed.topics === topics.length)?.words ?? []

/** The log with its times shifted by this many seconds. */
export function shiftTimes(log: RecordedLog, seconds: number): RecordedLog {
  const words = timesIn(log)
  if (words.length === 0 || seconds === 0) return log
  const data = words.reduce((text, at) => {
    const from = 2 + 64 * at
    return text.slice(0, from) + shiftWord(text.slice(from, from + 64), seconds) + text.slice(from + 64)
  }, log.data)
  return { ...log, data }
}

/** Zero and times beyond the year 9999 stand for never, and stay. */
function shiftWord(word: string, seconds: number): string {
  const time = BigInt(`0x${word || '0'}`)
  if (time === 0n || time >= BigInt(NEVER)) return word
  return (time + BigInt(seconds)).toString(16).padStart(64, '0')
}
