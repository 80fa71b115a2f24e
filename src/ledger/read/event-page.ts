// Pages of events for many scopes at once. The questions bring their totals (the counters of a token, a wallet or the
// head). Pages thus cost one statement per kind of scope, two if they have a start, and none past the end.
import { offsetOf, type Page, type Paged } from '../../base/page.ts'
import type { Reading } from './consistent-read.ts'
import {
  type EventRow,
  type EventScope,
  type EventStart,
  findStart,
  keptSince,
  numberingOf,
  readEvents,
} from './event.ts'
import { countMeetings, type Meeting, readMeetings } from './meeting.ts'

/** Asks for a page of the events of a token, of a wallet, or of the whole chain. */
export interface EventPageQuestion extends EventScope, EventStart, Page {
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
    const group = groups.get(name)
    if (group) group.push(question)
    else groups.set(name, [question])
  }
  const pages = new Map<EventPageQuestion, Paged<EventRow>>()
  await Promise.all([...groups.values()].map((group) => readGroup(reading, group, pages)))
  return questions.map((question) => pages.get(question) ?? { ...question, items: [] })
}

async function readGroup(
  reading: Reading,
  questions: EventPageQuestion[],
  pages: Map<EventPageQuestion, Paged<EventRow>>,
): Promise<void> {
  const bounds = await findBounds(reading, questions)
  const asked = questions.flatMap((question) => {
    const { page, limit, total } = question
    const bound = bounds.get(question) ?? 0
    const below = total - offsetOf(question)
    pages.set(question, { page, limit, total: total - bound, items: [] })
    return below > bound ? [{ ...question, below, above: Math.max(bound, below - limit), question }] : []
  })
  const lists = await readEvents(reading, asked)
  for (const [index, { question }] of asked.entries()) {
    const page = pages.get(question)
    if (page) page.items = lists[index] ?? []
  }
}

/** For each question with `since` or `after`: the running number after which its events begin. */
async function findBounds(
  reading: Reading,
  questions: readonly EventPageQuestion[],
): Promise<Map<EventPageQuestion, number>> {
  const begun = questions.filter(({ since, after, total }) => (keptSince(reading.head, since) || after) && total > 0)
  const found = await findStart(
    reading,
    begun.map((question) => ({ ...question, since: keptSince(reading.head, question.since) })),
  )
  return new Map(begun.map((question, index) => [question, found[index] ?? 0]))
}

/** A page of the events between one wallet and one token. */
export async function readMeetingPage(
  reading: Reading,
  { page, limit, ...asked }: Meeting & Page,
): Promise<Paged<EventRow>> {
  const meeting = { ...asked, since: keptSince(reading.head, asked.since) }
  const total = await countMeetings(reading, meeting)
  const offset = offsetOf({ page, limit })
  const items = offset < total ? await readMeetings(reading, meeting, { offset, limit }) : []
  return { page, limit, total, items }
}
