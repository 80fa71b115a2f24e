// Pages of events of many scopes at once: totals come with the questions (the counters of a token, a wallet or the head),
// so a page costs one statement per kind of scope, and two with a start; past the end none.
import { offsetOf, type Page, type Paged } from '../../base/page.ts'
import type { Reading } from './consistent-read.ts'
import { type EventRow, type EventScope, type EventStart, findStart, numberingOf, readEvents } from './event.ts'
import { countMeetings, type Meeting, readMeetings } from './meeting.ts'

/** A page of the events of a token, of a wallet, or of all. */
export interface EventPageQuestion extends EventScope, EventStart, Page {
  /** How many events the scope has: its newest running number. */
  total: number
}

/** The pages, in the order of the questions. */
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

/** The running number that each question with a start begins after. */
async function findBounds(
  reading: Reading,
  questions: readonly EventPageQuestion[],
): Promise<Map<EventPageQuestion, number>> {
  const begun = questions.filter(({ since, after, total }) => (since || after) && total > 0)
  const found = await findStart(reading, begun)
  return new Map(begun.map((question, index) => [question, found[index] ?? 0]))
}

/** A page of the events of a wallet with a token. */
export async function readMeetingPage(
  reading: Reading,
  { page, limit, ...meeting }: Meeting & Page,
): Promise<Paged<EventRow>> {
  const total = await countMeetings(reading, meeting)
  const offset = offsetOf({ page, limit })
  const items = offset < total ? await readMeetings(reading, meeting, { offset, limit }) : []
  return { page, limit, total, items }
}
