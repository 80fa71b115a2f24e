// Finds the wallet of a trade or change of liquidity from other logs of its transaction. It is the sender of its
// operation (ERC-4337, or a meta-transaction of 0x). Without one it is the owner of the order that a settlement or a
// filler filled, and at last the signer.
import type { Address } from '../../base/address.ts'
import type { Attribution } from '../../base/vocabulary.ts'
import type { DecodedLog, LogOf, Transaction } from '../../chain/event.ts'

export interface Attributed {
  address: Address
  attribution: Attribution
}

/** All traders that the logs name. */
export function namedTraders(logs: readonly DecodedLog[]): readonly Address[] {
  if (!nameTraders(logs)) return NOBODY
  return logs.flatMap((log) => {
    if (log.kind === 'user_operation') return [log.sender]
    if (log.kind === 'routed') return [log.receiver]
    return (log.kind === 'settled' || log.kind === 'filled') && log.owner ? [log.owner] : []
  })
}

const NOBODY: readonly Address[] = []

/** Whether any of the logs names a trader. Most transactions have no such log. */
export function nameTraders(logs: readonly DecodedLog[]): boolean {
  for (const log of logs) if (namesTrader(log)) return true
  return false
}

/** Whether the log names a trader. */
export const namesTrader = ({ kind }: DecodedLog): boolean =>
  kind === 'user_operation' || kind === 'settled' || kind === 'filled' || kind === 'routed'

/** Returns the wallet of a log from its index and the two tokens that it moves. */
export type Attribute = (logIndex: number, tokens: readonly [Address, Address]) => Attributed

/** Reads the transaction once. */
export function readAttribution(signer: Address, logs: readonly DecodedLog[]): Attribute {
  const self: Attributed = { address: signer, attribution: 'signer' }
  const operations = logs.filter((log) => log.kind === 'user_operation')
  const settled = logs.filter((log) => log.kind === 'settled')
  const filled = onlyOne(logs.flatMap((log) => (log.kind === 'filled' && log.owner ? [log.owner] : [])))
  const routed = receiverOf(logs)
  return (logIndex, tokens) => {
    // An operation's event follows its logs, so the next one is its own.
    const operation = operations.find((log) => log.logIndex > logIndex)
    if (operation) return { address: operation.sender, attribution: 'operation' }
    const owner = ownerOf(settled, tokens) ?? filled ?? routed
    return owner ? { address: owner, attribution: 'settlement' } : self
  }
}

/** The only account that routers paid, unless it moves tokens itself: it is then another router. */
function receiverOf(logs: readonly DecodedLog[]): Address | null {
  const receiver = onlyOne(logs.flatMap((log) => (log.kind === 'routed' ? [log.receiver] : [])))
  const isMover = logs.some((log) => log.kind === 'transfer' && (log.from === receiver || log.to === receiver))
  return isMover ? null : receiver
}

/** The only owner whose order has both tokens, or one of them; null for several. */
function ownerOf(settled: readonly LogOf<'settled'>[], tokens: readonly [Address, Address]): Address | null {
  const named = (log: LogOf<'settled'>) => tokens.filter((token) => token === log.sold || token === log.bought).length
  const most = Math.max(0, ...settled.map(named))
  if (most === 0) return null
  return onlyOne(settled.filter((log) => named(log) === most).map(({ owner }) => owner))
}

/** The only account in the list; null for several, or none. */
export function onlyOne(accounts: readonly Address[]): Address | null {
  const [first] = accounts
  return first && accounts.every((account) => account === first) ? first : null
}

/** Whether the signer paid or received anything that the transaction shows, or it shows nobody's payment. */
export function isParty({ from, value }: Transaction, logs: readonly DecodedLog[]): boolean {
  if (value > 0n) return true
  let shows = false
  for (const log of logs) {
    if (log.kind === 'transfer') {
      if (log.from === from || log.to === from) return true
      shows = true
    } else if ((log.kind === 'deposit' && log.to === from) || (log.kind === 'withdrawal' && log.from === from))
      return true
  }
  return !shows
}
