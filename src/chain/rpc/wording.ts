// Chooses the form of a call that an endpoint understands. Input: calls, some with an alternative form. Output:
// answers. Once an endpoint has answered only the alternative form of a method, it gets that form first.
import type { Call, RpcAnswer } from './endpoint.ts'
import { isAnswered } from './endpoint.ts'
import { RpcError, type RpcErrorKind } from './error.ts'

/** Faults of a misunderstood call. `range` is one: a single block cannot be too wide a range. */
const REFUSALS: ReadonlySet<RpcErrorKind> = new Set(['unsupported', 'rejected', 'range'])

export interface Wording {
  ask(calls: readonly Call[], send: (calls: readonly Call[]) => Promise<RpcAnswer[]>): Promise<RpcAnswer[]>
}

/** One per endpoint; nothing is known at first. */
export function createWording(): Wording {
  const other = new Set<string>()

  return {
    async ask(calls, send) {
      const said = calls.map((call) => (call.otherwise && other.has(call.method) ? call.otherwise.call : call))
      const answers = (await send(said)).map((answer, i) => read(said[i], answer))
      const refused = said.flatMap(({ otherwise }, i) => (otherwise && isRefusal(answers[i]) ? [{ otherwise, i }] : []))
      if (refused.length === 0) return answers
      const again = await send(refused.map(({ otherwise }) => otherwise.call))
      refused.forEach(({ i }, k) => {
        const answer = again[k]
        const method = said[i]?.method
        if (!answer || !method || isRefusal(answer)) return
        if (isAnswered(answer)) other.add(method)
        answers[i] = answer
      })
      return answers
    },
  }
}

const isRefusal = (answer: RpcAnswer | undefined): boolean => !!answer?.error && REFUSALS.has(answer.error.kind)

/** Turns an answer to a misunderstood call into a refusal. */
function read(call: Call | undefined, answer: RpcAnswer): RpcAnswer {
  if (!call?.otherwise || !isAnswered(answer) || !call.otherwise.isMisread(answer.result)) return answer
  return { error: new RpcError('rejected', `${call.method}: the provider misread the request`) }
}
