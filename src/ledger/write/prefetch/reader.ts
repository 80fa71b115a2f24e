// Caches questions to the chain. A prefetch asks early; the same question at the same block later gets the same answer
// without a request.

import type { Address } from '../../../base/address.ts'
import { holdingKey } from '../../../book/rows/working-set.ts'
import type { ChainReader } from '../../../chain/contracts/reader.ts'

/** A reader that asks each question once per block. Errors are not kept. */
export interface CachedReader extends ChainReader {
  /** Drops answers at blocks before this one. */
  forgetBefore(block: number): void
}

/** Wraps a reader so that a repeated question shares the first answer, even one that is still on its way. */
export function createCachedReader(reader: ChainReader): CachedReader {
  const tokens = askByAddress((addresses, block) => reader.readTokens(addresses, block))
  const pools = askByAddress((addresses, block) => reader.readPools(addresses, block))
  const accounts = askByAddress((addresses, block) => reader.readAccounts(addresses, block))
  const balances = askOnce(
    ({ token, holder }: { token: Address; holder: Address }) => holdingKey(token, holder),
    (questions, block) => reader.readBalances(questions, block),
  )
  return {
    readTokens: tokens.ask,
    readPools: pools.ask,
    readBalances: balances.ask,
    readAccounts: accounts.ask,
    forgetBefore: (block) => {
      for (const each of [tokens, pools, balances, accounts]) each.forgetBefore(block)
    },
  }
}

function askByAddress<Answer>(read: (addresses: readonly Address[], block: number) => Promise<Map<Address, Answer>>) {
  const once = askOnce(
    (address: Address) => address,
    async (addresses, block) => {
      const found = await read(addresses, block)
      return addresses.map((address) => found.get(address))
    },
  )
  return {
    ...once,
    ask: async (addresses: readonly Address[], block: number): Promise<Map<Address, Answer>> => {
      const answers = await once.ask(addresses, block)
      const told = addresses.map((address, i) => [address, answers[i]] as const)
      return new Map(told.filter((each): each is readonly [Address, Answer & {}] => each[1] !== undefined))
    },
  }
}

/** `ask` gets only new questions, and must answer in their order. */
function askOnce<Question, Answer>(
  keyOf: (question: Question) => string,
  ask: (questions: readonly Question[], block: number) => Promise<readonly Answer[]>,
) {
  const asked = new Map<number, Map<string, Promise<Answer>>>()

  const askNow = (questions: readonly Question[], block: number, known: Map<string, Promise<Answer>>) => {
    const answers = ask(questions, block)
    questions.forEach((question, i) => {
      const key = keyOf(question)
      // An address without an answer is undefined in its place.
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
