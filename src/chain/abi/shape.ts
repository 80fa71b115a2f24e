// The shape of a log: so many topics, so many words of data, and how these are read.
import { hasWords } from './word.ts'

/** What a log says, by its topics and data; null where it has another shape. Throws where a word does not fit. */
export type Read = (topics: readonly string[], data: string) => object | null

/** Topics with topic0, words of data, and how to read them. */
export const shape =
  (topicCount: number, words: number, read: (topics: readonly string[], data: string) => object): Read =>
  (topics, data) =>
    topics.length === topicCount && hasWords(data, words) ? read(topics, data) : null
