// Encodes blocks and logs as a node's JSON. Input: transactions with logs. Output: text, all of it ASCII.

export interface GeneratedLog {
  address: string
  topics: readonly string[]
  data: string
}

export interface GeneratedTransaction {
  from: string
  to: string
  /** Wei in hex. */
  value: string
  input: string
  logs: readonly GeneratedLog[]
}

/** 2025-01-01T00:00:00Z. */
const GENESIS = 1_735_689_600
const BLOCK_SECONDS = 12

const WORD = `0x${'0'.repeat(63)}1`
/** Fields that a node sends but nobody reads. */
const SIGNATURE = `"r":"${WORD}","s":"${WORD}","v":"0x1b"`
const HEADER =
  ['receiptsRoot', 'stateRoot', 'transactionsRoot', 'sha3Uncles', 'mixHash']
    .map((name) => `"${name}":"${WORD}",`)
    .join('') +
  `"miner":"0x${'0'.repeat(40)}","difficulty":"0x0","totalDifficulty":"0x0","size":"0x1000","extraData":"0x",` +
  '"nonce":"0x0000000000000000","baseFeePerGas":"0x7","gasUsed":"0x1","gasLimit":"0x1c9c380","uncles":[]'

const hex = (value: number) => `0x${value.toString(16)}`

/** 32 bytes that look like a hash and begin with the number, so that the server can find the block. */
export function hashOf(kind: 'block' | 'transaction', number: number): string {
  let mixed = (number * 2 + (kind === 'block' ? 0 : 1)) | 0
  let text = ''
  for (let i = 0; i < 6; i++) {
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x2c1b3c6d) + 0x6d2b79f5
    mixed = Math.imul(mixed ^ (mixed >>> 12), 0x297a2d39)
    text += ((mixed ^ (mixed >>> 15)) >>> 0).toString(16).padStart(8, '0')
  }
  return `0x${number.toString(16).padStart(16, '0')}${text}`
}

/** `blockSeconds`: time between blocks; timestamps are whole seconds, as on a chain. */
export function createEncoder(blockSeconds = BLOCK_SECONDS) {
  let nextTransaction = 0

  function encode(number: number, transactions: readonly GeneratedTransaction[]) {
    const hash = hashOf('block', number)
    const time = hex(GENESIS + Math.floor(number * blockSeconds))
    const place = `"blockNumber":"${hex(number)}","blockHash":"${hash}"`
    const logs: string[] = []
    const parts = transactions.map((transaction, index) => {
      const id = hashOf('transaction', nextTransaction++)
      const where = `"transactionHash":"${id}","transactionIndex":"${hex(index)}"`
      for (const log of transaction.logs)
        logs.push(
          `{"address":"${log.address}","topics":["${log.topics.join('","')}"],"data":"${log.data}",${place},` +
            `"blockTimestamp":"${time}",${where},"logIndex":"${hex(logs.length)}","removed":false}`,
        )
      const { from, to, value, input } = transaction
      return (
        `{"hash":"${id}",${place},"transactionIndex":"${hex(index)}","from":"${from}","to":"${to}","value":"${value}",` +
        `"input":"${input}","nonce":"0x1","gas":"0x30d40","gasPrice":"0x3b9aca00","type":"0x0","chainId":"0xb195f",${SIGNATURE}}`
      )
    })
    const parent = number === 0 ? `0x${'0'.repeat(64)}` : hashOf('block', number - 1)
    const json =
      `{"number":"${hex(number)}","hash":"${hash}","parentHash":"${parent}","timestamp":"${time}",` +
      `"logsBloom":"0x${(logs.length > 0 ? 'f' : '0').repeat(512)}",${HEADER},"transactions":[${parts.join(',')}]}`
    // Each log ends with a comma; the server cuts off the last one.
    return { json, logs: logs.length > 0 ? `${logs.join(',')},` : '', count: logs.length }
  }

  return { encode }
}
