// The thread that reads the chain: it fetches, parses and decodes, so that the program has its own processor for the rest.
// Comes in: questions; goes out: answers in the order in which they are found. It ends when it is told to stop.
import { parentPort, workerData } from 'node:worker_threads'
import { systemClock } from '../../base/clock.ts'
import { type Connected, connectChain } from '../connect.ts'
import type { ChainBlock } from '../event.ts'
import type { Trouble } from '../rpc-backend.ts'
import { type FromThread, type Questions, sendError, type ThreadData, type ToThread } from './message.ts'
import { type PackedBlocks, packBlocks } from './pack.ts'

const port = parentPort
if (!port) throw new Error('this file is the start of a thread')

const stopping = new AbortController()
const { urls, override } = workerData as ThreadData
const say = (message: FromThread, transfer: ArrayBuffer[] = []) => port.postMessage(message, transfer)
const onTrouble = (trouble: Trouble) => say({ trouble })
let connected: Connected | null = null

const opened = (): Connected => {
  if (!connected) throw new Error('the chain must be connected first')
  return connected
}

/** A list whose memory is handed over, not copied. */
class Handed {
  readonly packed: PackedBlocks
  readonly transfer: ArrayBuffer[]
  constructor(blocks: readonly ChainBlock[]) {
    const { packed, transfer } = packBlocks(blocks)
    this.packed = packed
    this.transfer = transfer
  }
}

const answers: {
  [Name in keyof Questions]: (...args: Parameters<Questions[Name]>) => Promise<ReturnType<Questions[Name]> | Handed>
} = {
  connect: async () => {
    connected = await connectChain({ urls, override, clock: systemClock, onTrouble, signal: stopping.signal })
    return connected.preset
  },
  readHead: () => opened().source.readHead(),
  readFinalized: (head) => opened().source.readFinalized(head),
  readLinks: (numbers) => opened().source.readLinks(numbers),
  readRange: async (from, to) => new Handed(await opened().source.readRange(from, to)),
  readWindow: async (from, to) => new Handed(await opened().source.readWindow(from, to)),
  readTokens: (addresses, block) => opened().reader.readTokens(addresses, block),
  readPools: (addresses, block) => opened().reader.readPools(addresses, block),
  readBalances: (questions, block) => opened().reader.readBalances(questions, block),
}

async function answer({ id, name, args }: Exclude<ToThread, { stop: true }>): Promise<void> {
  const ask = answers[name] as (...args: readonly unknown[]) => Promise<unknown>
  const rangeSize = () => connected?.source.rangeSize() ?? 1
  try {
    const value = await ask(...args)
    if (value instanceof Handed) say({ id, value: value.packed, rangeSize: rangeSize() }, value.transfer)
    else say({ id, value, rangeSize: rangeSize() })
  } catch (error) {
    say({ id, fault: sendError(error), rangeSize: rangeSize() })
  }
}

port.on('message', (message: ToThread) => {
  if ('stop' in message) stopping.abort()
  else void answer(message)
})
