// The thread that reads the chain: it fetches, parses and decodes, which leaves the main thread free for other work.
// Input: questions. Output: answers, each as soon as it is ready. It ends when told to stop.
import { parentPort, workerData } from 'node:worker_threads'
import { systemClock } from '../../base/clock.ts'
import { memoryOf, type PackedBlocks } from '../columns/columns.ts'
import type { SentRequest } from '../rpc/sent.ts'
import type { OnNotice, Spell, Trouble } from '../rpc/trouble.ts'
import type { Tip } from '../source/source.ts'
import { type Connected, connectChain } from './connect.ts'
import { type FromThread, type Questions, sendError, type ThreadData, type ToThread } from './message.ts'

const port = parentPort
if (!port) throw new Error('serve.ts must run in a worker thread')

const stopping = new AbortController()
const data = workerData as ThreadData
const say = (message: FromThread, transfer: ArrayBuffer[] = []) => port.postMessage(message, transfer)
const onTrouble = (trouble: Trouble) => say({ trouble })
const onSent = (sent: SentRequest) => say({ sent })
const onSpell = (spell: Spell) => say({ spell })
const onNotice: OnNotice = (notice, isOver = false) => say({ notice, isOver })
let connected: Connected | null = null

const opened = (): Connected => {
  if (!connected) throw new Error('the chain must be connected first')
  return connected
}

/** An answer to be cloned, except for the buffers in `transfer`, which are handed over. */
interface Answer<T> {
  value: T
  transfer?: ArrayBuffer[]
}

const copied = async <T>(value: Promise<T>): Promise<Answer<T>> => ({ value: await value })

const handedOver = async (blocks: Promise<PackedBlocks>): Promise<Answer<PackedBlocks>> => {
  const value = await blocks
  return { value, transfer: memoryOf(value) }
}

const handedTip = async (tip: Promise<Tip>): Promise<Answer<Tip>> => {
  const value = await tip
  return { value, transfer: value.blocks ? memoryOf(value.blocks) : [] }
}

const answers: {
  [Name in keyof Questions]: (...args: Parameters<Questions[Name]>) => Promise<Answer<ReturnType<Questions[Name]>>>
} = {
  connect: async () => {
    connected = await connectChain({
      ...data,
      clock: systemClock,
      onTrouble,
      onSent,
      onSpell,
      onNotice,
      signal: stopping.signal,
    })
    const { preset, files } = connected
    return { value: { preset, files } }
  },
  readHead: () => copied(opened().source.readHead()),
  readTip: (next, count) => handedTip(opened().source.readTip(next, count)),
  readFinalized: (head) => copied(opened().source.readFinalized(head)),
  readLinks: (numbers) => copied(opened().source.readLinks(numbers)),
  readRange: (from, to) => handedOver(opened().source.readRange(from, to)),
  readWindow: (from, to) => handedOver(opened().source.readWindow(from, to)),
  readTokens: (addresses, block) => copied(opened().reader.readTokens(addresses, block)),
  readPools: (addresses, block) => copied(opened().reader.readPools(addresses, block)),
  readBalances: (questions, block) => copied(opened().reader.readBalances(questions, block)),
  readAccounts: (addresses, block) => copied(opened().reader.readAccounts(addresses, block)),
}

async function answer({ id, name, args }: Exclude<ToThread, { stop: true }>): Promise<void> {
  const ask = answers[name] as (...args: readonly unknown[]) => Promise<Answer<unknown>>
  const rangeSize = () => connected?.source.rangeSize() ?? 1
  try {
    const { value, transfer } = await ask(...args)
    say({ id, value, rangeSize: rangeSize() }, transfer)
  } catch (error) {
    say({ id, fault: sendError(error), rangeSize: rangeSize() })
  }
}

port.on('message', (message: ToThread) => {
  if ('stop' in message) stopping.abort()
  else void answer(message)
})
