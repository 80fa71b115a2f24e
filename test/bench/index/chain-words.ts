// Words of logs on the generated chain. Amounts are whole numbers of 10^-9 coins, which doubles hold exactly.
import type { GeneratedLog } from './encode.ts'

const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
export const GIGA = 1e9

/** A number or an address as a word. */
export const word = (value: number | string) =>
  (typeof value === 'string' ? value.slice(2) : value.toString(16)).padStart(64, '0')
/** An amount in units of 10^-9 as a word with 18 decimals. */
export const coins = (amount: number) => (BigInt(amount) * 1_000_000_000n).toString(16).padStart(64, '0')
export const topic = (address: string) => `0x${word(address)}`
/** An address that begins with the kind. */
export const account = (kind: number, index: number) =>
  `0x${kind.toString(16).padStart(2, '0')}${Math.imul(index + 1, 0x9e3779b1)
    .toString(16)
    .replace('-', 'a')
    .padStart(10, '0')}${index.toString(16).padStart(28, '0')}`

export const transfer = (token: string, from: string, to: string, data: string): GeneratedLog => ({
  address: token,
  topics: [TRANSFER, topic(from), topic(to)],
  data: `0x${data}`,
})
