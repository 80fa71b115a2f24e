// Sends the calls of one turn of the event loop together. Input: an rpc. Output: the same rpc, whose batches share
// requests. Readers ask about many blocks at once, each by itself; a provider bills and delays each request.
import type { Call, RpcAnswer } from './endpoint.ts'
import type { Rpc } from './rpc.ts'

interface Waiting {
  calls: readonly Call[]
  resolve(answers: RpcAnswer[]): void
  reject(error: unknown): void
}

/** Gathers calls of each method. A batch with attempts of its own is sent alone. */
export function gatherCalls(rpc: Rpc): Rpc {
  let waiting: Waiting[] = []

  const flush = () => {
    const together = waiting
    waiting = []
    sendTogether(rpc, together).catch((error: unknown) => {
      for (const { reject } of together) reject(error)
    })
  }

  return {
    ...rpc,
    batch(calls, attempts) {
      if (attempts !== undefined) return rpc.batch(calls, attempts)
      if (calls.length === 0) return Promise.resolve([])
      if (waiting.length === 0) setImmediate(flush)
      return new Promise((resolve, reject) => waiting.push({ calls, resolve, reject }))
    },
  }
}

/** Sorts the calls by method, because a request carries one, and returns each answer to its place. */
async function sendTogether(rpc: Rpc, waiting: readonly Waiting[]): Promise<void> {
  const places = waiting.flatMap(({ calls }, whose) => calls.map((call, at) => ({ call, whose, at })))
  places.sort((a, b) => (a.call.method === b.call.method ? 0 : a.call.method < b.call.method ? -1 : 1))
  const came = await rpc.batch(places.map(({ call }) => call))
  const answers: RpcAnswer[][] = waiting.map(() => [])
  for (const [place, { whose, at }] of places.entries()) {
    const answer = came[place]
    const own = answers[whose]
    if (answer && own) own[at] = answer
  }
  for (const [whose, { resolve }] of waiting.entries()) resolve(answers[whose] ?? [])
}
