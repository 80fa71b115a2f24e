// Which wording of a question an endpoint understands. Comes in: calls, some of which can be put in other words; goes out:
// answers. Once an endpoint has answered only to the other words, it is asked in these from then on.
import type { Call, RpcAnswer } from './endpoint.ts'
import { isAnswered } from './endpoint.ts'
import { RpcError, type RpcErrorKind } from './error.ts'

/** Kinds of faults that a question gets which was not understood; of one block, no range is too wide. */
const REFUSALS: ReadonlySet<RpcErrorKind> = new Set(['unsupported', 'rejected', 'range'])

export interface Wording {
  ask(calls: readonly Call[], send: (calls: readonly Call[]) => Promise<RpcAnswer[]>): Promise<RpcAnswer[]>
}

/** One endpoint's; nothing is known at first. */
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

/** An answer to another question counts as a refusal. */
function read(call: Call | undefined, answer: RpcAnswer): RpcAnswer {
  if (!call?.otherwise || !isAnswered(answer) || !call.otherwise.isMisread(answer.result)) return answer
  return { error: new RpcError('rejected', `${call.method}: the provider answered another question`) }
}
