// A log as a node sends it, of topics and words.
import type { RawLog } from '../../src/chain/raw.ts'
import { TOKEN, word } from './fake-chain.ts'

/** `data`: its words, or all of it as hex. */
export const rawLog = (
  topics: string[],
  data: string | readonly (number | bigint | string)[],
  address: string = TOKEN,
): RawLog => ({
  address,
  topics,
  data: typeof data === 'string' ? data : `0x${data.map(word).join('')}`,
  blockHash: `0x${'1'.repeat(64)}`,
  blockNumber: '0x1',
  transactionHash: `0x${'a'.repeat(64)}`,
  transactionIndex: '0x0',
  logIndex: '0x7',
})

export const topicOf = (value: number | bigint | string): string => `0x${word(value)}`
