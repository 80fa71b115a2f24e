// Decides which calls share a request, and sends it. Input: calls that are asked at the same time. Output: the replies to
// those that it answered; the others are asked alone.
import type { Address } from '../../base/address.ts'
import type { Hex } from '../../chain/contracts/words.ts'
import type { RpcCall } from '../report.ts'
import { isRead, type Question, type TryQuestion } from './questions.ts'
import type { AskNode, Reply } from './reply.ts'
import { isGateable, type OpenQuestion, type ShareSetting, type ShareWay, shareQuestions } from './shared.ts'

export interface SharingOptions extends Omit<ShareSetting, 'codes'> {
  way: ShareWay
  /** Each call as a request of its own. */
  askAlone: AskNode
  /** The answer to a read, if it came. */
  known(call: RpcCall): Reply | undefined
  /** A shared request came back, or failed as a whole. */
  onShared(isAnswered: boolean): void
}

interface Wanted {
  call: RpcCall
  question: Question | null
}

export interface Sharing {
  ask<T extends Wanted>(list: readonly T[]): Promise<Map<T, Reply>>
  isOn(): boolean
  /** Whether transactions of accounts share a request. */
  sharesTries(): boolean
  stop(): void
}

/** What a sender's gas may cost in one request: it is tried a few times. */
const TRIES = 6n

export function createSharing(options: SharingOptions): Sharing {
  const { block, askAlone, known, onShared } = options
  let { way } = options
  const read = (method: string, at: Address): Hex | undefined => {
    const reply = known({ method, params: [at, block.tag] })
    return reply?.kind === 'result' ? (reply.result as Hex) : undefined
  }
  const codeOf = (at: Address) => read('eth_getCode', at)

  /** Only an account without code is tried: where the contract calls it back, a gate could not tell who calls. */
  const isTryable = ({ from, to, gas, gasPrice, purse }: TryQuestion): boolean => {
    const balance = read('eth_getBalance', from)
    const canPay = purse !== null || gasPrice === 0n || BigInt(balance ?? 0) >= TRIES * BigInt(gas) * gasPrice
    return canPay && codeOf(from) === '0x' && isGateable(codeOf(to))
  }

  return {
    isOn: () => way !== 'none',
    sharesTries: () => way === 'blocks',
    stop: () => {
      way = 'none'
    },
    async ask<T extends Wanted>(list: readonly T[]) {
      const asked = new Map<OpenQuestion, T>()
      for (const one of list) {
        const { call, question } = one
        if (question && (isRead(question) || isTryable(question))) asked.set({ call, question }, one)
      }
      const told = new Map<T, Reply>()
      if (way === 'none' || asked.size < 2) return told
      const called = [...asked.keys()].flatMap(({ question }) => (question.kind === 'try' ? [question.to] : []))
      const codes = new Map(called.map((to) => [to, codeOf(to) ?? '0x']))
      const requests = shareQuestions([...asked.keys()], { ...options, codes }, way)
      const replies = await askAlone(requests.map(({ call }) => call))
      requests.forEach((request, at) => {
        const reply = replies[at]
        const found = reply?.kind === 'result' ? request.read(reply.result) : undefined
        onShared(found !== undefined)
        if (!found) way = 'none'
        for (const [each, answer] of found ?? []) {
          const one = asked.get(each)
          if (one && answer) told.set(one, answer)
        }
      })
      return told
    },
  }
}
