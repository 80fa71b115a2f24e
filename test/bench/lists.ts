// Lists and searches over HTTP by one client: how long an answer takes among these tokens, beside the same among fewer. Both servers
// are asked in turn, so that what else the machine does falls on both. No question repeats another.
import { setTimeout } from 'node:timers/promises'
import { createRandom } from '../support/seed.ts'
import { read, type Server } from './compare.ts'
import { LIST_QUESTIONS, type ListQuestion, type Random } from './list-questions.ts'

/** Questions of each kind that are counted, and those before in which V8 compiles. */
const COUNTED = 200
const FIRST = 40
/** How often a server is asked whether its tokens are in memory. */
const POLL_MS = 1_000
const MOST_POLLS = 120

export interface Sized {
  server: Server
  tokens: number
}

const SYLLABLES = ['pe', 'do', 'ge', 'mo', 'on', 'shi', 'ba', 'inu', 'cat', 'ai']

export const SEARCH = 'a search'

const QUESTIONS: Readonly<Record<string, ListQuestion>> = {
  ...LIST_QUESTIONS,
  [SEARCH]: (random) => {
    const text = Array.from({ length: 1 + random(3) }, () => SYLLABLES[random(SYLLABLES.length)]).join('') + random(100)
    return `/graphql?query=${encodeURIComponent(`{ search(query: "${text}") { __typename } }`)}`
  },
}

export interface ListFigures {
  name: string
  medianMs: number
  p95Ms: number
  /** P95 among fewer tokens; null where there is no such server. */
  fewerP95Ms: number | null
}

async function untilLoaded(server: Server): Promise<void> {
  const path = `/graphql?query=${encodeURIComponent('{ search(query: "loaded") { __typename } }')}`
  for (let left = MOST_POLLS; ; left -= 1) {
    const isLoaded = await read(server, path).then(
      (answer) => !('errors' in (answer as object)),
      (error: unknown) => {
        if (left === 0) throw error
        return false
      },
    )
    if (isLoaded || left === 0) return
    await setTimeout(POLL_MS)
  }
}

const quantile = (times: readonly number[], share: number) =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length * share)] ?? 0

/** Each kind of question, asked of the server, and in turn of one with fewer tokens. */
export async function measureLists(
  here: Sized,
  fewer: Sized | null,
  onFigures: (figures: ListFigures) => void,
): Promise<void> {
  const all = fewer ? [here, fewer] : [here]
  for (const { server } of all) await untilLoaded(server)
  const number = createRandom(11)
  const random: Random = (below) => Math.floor(below * number())
  for (const [name, question] of Object.entries(QUESTIONS)) {
    const times = new Map(all.map((sized) => [sized, [] as number[]]))
    for (let at = 0; at < FIRST + COUNTED; at += 1)
      for (const [{ server, tokens }, counted] of times) {
        const path = question(random, tokens)
        const started = performance.now()
        // A connection that rested may be closed just as it is used.
        await read(server, path).catch(() => read(server, path))
        if (at >= FIRST) counted.push(performance.now() - started)
      }
    const mine = times.get(here) ?? []
    const others = fewer && times.get(fewer)
    onFigures({
      name,
      medianMs: quantile(mine, 0.5),
      p95Ms: quantile(mine, 0.95),
      fewerP95Ms: others ? quantile(others, 0.95) : null,
    })
  }
}
