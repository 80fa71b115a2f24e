// Pages of events for many scopes at once. The questions bring their totals (the counters of a token, a wallet or the
// head). Pages thus cost one statement per kind of scope, two if they have a start, and none past the end.

import type { Page, Paged } from '../../base/page.ts'
import { pushTo } from '../../base/push-to.ts'
import type { Reading } from './consistent-read.ts'
import {
  type EventRow,
  type EventScope,
  type EventSpan,
  type EventStart,
  findStart,
  keptSince,
  numberingOf,
  placeBefore,
  readEvents,
} from './event.ts'
import { countMeetings, type Meeting, readMeetings } from './meeting.ts'

/** Asks for a page of the events of a token, of a wallet, or of the whole chain. */
export interface EventPageQuestion extends EventScope, EventSpan, Page {
  oldestFirst: boolean
  /** How many events the scope has: its newest running number. */
  total: number
}

/** Returns the pages in the order of the questions. */
export async function readEventPages(
  reading: Reading,
  questions: readonly EventPageQuestion[],
): Promise<Paged<EventRow>[]> {
  const groups = new Map<string, EventPageQuestion[]>()
  for (const question of questions) {
    const { name } = numberingOf(question)
    pushTo(groups, name, question)
  }
  const pages = new Map<EventPageQuestion, Paged<EventRow>>()
  await Promise.all([...groups.values()].map((group) => readGroup(reading, group, pages)))
  return questions.map((question) => pages.get(question) ?? { total: 0, items: [] })
}

async function readGroup(
  reading: Reading,
  questions: EventPageQuestion[],
  pages: Map<EventPageQuestion, Paged<EventRow>>,
): Promise<void> {
  const ends = await findEnds(reading, questions)
  const asked = questions.flatMap((question) => {
    const { offset, limit, oldestFirst } = question
    const [first, last] = [ends.first.get(question) ?? 0, ends.last.get(question) ?? question.total]
    const total = Math.max(0, last - first)
    pages.set(question, { total, items: [] })
    if (offset >= total || limit === 0) return []
    const range = oldestFirst
      ? { above: first + offset, below: Math.min(last, first + offset + limit) }
      : { above: Math.max(first, last - offset - limit), below: last - offset }
    return [{ ...question, ...range, question }]
  })
  const lists = await readEvents(reading, asked)
  for (const [index, { question }] of asked.entries()) {
    const [page, items = []] = [pages.get(question), lists[index]]
    if (page) page.items = question.oldestFirst ? items.toReversed() : items
  }
}

/**
 * The running number before the first event of each question, and that of its last event, where a limit of time or
 * place moves them.
 */
async function findEnds(reading: Reading, questions: readonly EventPageQuestion[]) {
  const [first, untilLast, beforeLast] = await Promise.all([
    findNumbers(reading, questions, ({ since, after }) => ({ since: keptSince(reading.head, since), after })),
    findNumbers(reading, questions, ({ until }) => ({ since: until, after: null })),
    findNumbers(reading, questions, ({ before }) => ({ since: null, after: before && placeBefore(before) })),
  ])
  const last = new Map(untilLast)
  for (const [question, number] of beforeLast) last.set(question, Math.min(number, last.get(question) ?? number))
  return { first, last }
}

/** For each question with a start: the running number of the newest event that is not after it. */
async function findNumbers(
  reading: Reading,
  questions: readonly EventPageQuestion[],
  startOf: (question: EventPageQuestion) => EventStart,
): Promise<Map<EventPageQuestion, number>> {
  const begun = questions.flatMap((question) => {
    const start = startOf(question)
    return (start.since || start.after) && question.total > 0 ? [{ ...question, ...start, question }] : []
  })
  const found = await findStart(reading, begun)
  return new Map(begun.map(({ question }, index) => [question, found[index] ?? 0]))
}

/** A page of the events between one wallet and one token. */
export async function readMeetingPage(
  reading: Reading,
  { offset, limit, oldestFirst, ...asked }: Meeting & Page & Pick<EventPageQuestion, 'oldestFirst'>,
): Promise<Paged<EventRow>> {
  const meeting = { ...asked, since: keptSince(reading.head, asked.since) }
  const total = await countMeetings(reading, meeting)
  const items = offset < total && limit > 0 ? await readMeetings(reading, meeting, { offset, limit, oldestFirst }) : []
  return { total, items }
}
