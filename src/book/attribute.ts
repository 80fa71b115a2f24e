// Whose trade a log is. Input: a transaction's logs. Output: for a pool's log the sender of the ERC-4337 operation that it
// belongs to, else the owner that a settlement names for one of the pool's tokens, else the signer.
import type { Address } from '../base/address.ts'
import type { Attribution } from '../base/vocabulary.ts'
import type { DecodedLog, LogOf } from '../chain/event.ts'

export interface Attributed {
  address: Address
  attribution: Attribution
}

/** Everybody whose trade it may be, besides the signer. */
export function namedTraders(logs: readonly DecodedLog[]): readonly Address[] {
  if (!nameTraders(logs)) return NOBODY
  return logs.flatMap((log) =>
    log.kind === 'user_operation' ? [log.sender] : log.kind === 'settled' ? [log.owner] : [],
  )
}

const NOBODY: readonly Address[] = []

/** Whether any of the logs names a trader. Those of most transactions do not, and all of their trades are the signer's. */
export const nameTraders = (logs: readonly DecodedLog[]): boolean => logs.some(namesTrader)

const namesTrader = ({ kind }: DecodedLog): boolean => kind === 'user_operation' || kind === 'settled'

/** Tells the trader of a log from its index and the two tokens that it trades. */
export type Attribute = (logIndex: number, tokens: readonly [Address, Address]) => Attributed

/** Reads the transaction once. */
export function readAttribution(signer: Address, logs: readonly DecodedLog[]): Attribute {
  const self: Attributed = { address: signer, attribution: 'signer' }
  const operations = logs.filter((log) => log.kind === 'user_operation')
  const settled = logs.filter((log) => log.kind === 'settled')
  return (logIndex, tokens) => {
    // An operation's event follows its logs, so the next one is its own.
    const operation = operations.find((log) => log.logIndex > logIndex)
    if (operation) return { address: operation.sender, attribution: 'operation' }
    const owner = ownerOf(settled, tokens)
    return owner ? { address: owner, attribution: 'settlement' } : self
  }
}

/** The one owner whose order has both tokens, or one of them; null where several do. */
function ownerOf(settled: readonly LogOf<'settled'>[], tokens: readonly [Address, Address]): Address | null {
  const named = (log: LogOf<'settled'>) => tokens.filter((token) => token === log.sold || token === log.bought).length
  const most = Math.max(0, ...settled.map(named))
  if (most === 0) return null
  const owners = new Set(settled.filter((log) => named(log) === most).map(({ owner }) => owner))
  const [owner] = owners
  return owners.size === 1 && owner ? owner : null
}
