// Questions to the chain that are asked before their turn: whoever asks again, as of the same block, gets the same answer.
import type { Address } from '../../base/address.ts'
import type { ChainReader } from '../../chain/reader.ts'
import { holdingKey } from './work.ts'

/** A reader that asks each question as of a block once. Faults are not remembered. */
export interface AskedReader extends ChainReader {
  /** Lets go of what was asked as of blocks before this one. */
  forgetBefore(block: number): void
}

/** Remembers what is asked of the reader, answered or not yet. */
export function rememberAsked(reader: ChainReader): AskedReader {
  const address = (one: Address) => one
  const tokens = askOnce(address, async (addresses: readonly Address[], block) => {
    const found = await reader.readTokens(addresses, block)
    return addresses.map((one) => found.get(one))
  })
  const pools = askOnce(address, async (addresses: readonly Address[], block) => {
    const found = await reader.readPools(addresses, block)
    return addresses.map((one) => found.get(one))
  })
  const balances = askOnce(
    ({ token, holder }: { token: Address; holder: Address }) => holdingKey(token, holder),
    (questions, block) => reader.readBalances(questions, block),
  )
  return {
    readTokens: async (addresses, block) => toMap(addresses, await tokens.ask(addresses, block)),
    readPools: async (addresses, block) => toMap(addresses, await pools.ask(addresses, block)),
    readBalances: (questions, block) => balances.ask(questions, block),
    forgetBefore: (block) => {
      for (const each of [tokens, pools, balances]) each.forgetBefore(block)
    },
  }
}

function toMap<Answer>(addresses: readonly Address[], answers: readonly (Answer | undefined)[]): Map<Address, Answer> {
  const map = new Map<Address, Answer>()
  addresses.forEach((address, i) => {
    const answer = answers[i]
    if (answer !== undefined) map.set(address, answer)
  })
  return map
}

/** `ask` gets what was not asked yet, and answers in that order. */
function askOnce<Question, Answer>(
  keyOf: (question: Question) => string,
  ask: (questions: readonly Question[], block: number) => Promise<readonly Answer[]>,
) {
  const asked = new Map<number, Map<string, Promise<Answer>>>()

  const askNow = (questions: readonly Question[], block: number, known: Map<string, Promise<Answer>>) => {
    const answers = ask(questions, block)
    questions.forEach((question, i) => {
      const key = keyOf(question)
      const answer = answers.then((list) => list[i] as Answer)
      answer.catch(() => known.delete(key))
      known.set(key, answer)
    })
  }

  return {
    ask: (questions: readonly Question[], block: number): Promise<Answer[]> => {
      const known = asked.get(block) ?? new Map<string, Promise<Answer>>()
      asked.set(block, known)
      const unasked = questions.filter((question) => !known.has(keyOf(question)))
      if (unasked.length > 0) askNow(unasked, block, known)
      return Promise.all(questions.map((question) => known.get(keyOf(question)) as Promise<Answer>))
    },
    forgetBefore: (block: number) => {
      for (const number of asked.keys()) if (number < block) asked.delete(number)
    },
  }
}
