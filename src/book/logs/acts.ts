// Splits a transaction into acts: who acted, and in which logs. A relayer may call an account because it has code
// (EIP-7702). An operation is an act of its sender (ERC-4337), a forwarded request one of its signer (ERC-2771). Any other
// transaction is an act of its signer.
import type { Address } from '../../base/address.ts'
import type { DecodedLog, LogOf, Transaction } from '../../chain/event.ts'
import type { Known } from '../rows/known.ts'

/** One act of a transaction. */
export interface Acted {
  /** The transaction as the acting account would have sent it, which calls nobody if the call is not known. */
  transaction: Transaction
  logs: readonly DecodedLog[]
  /** A called contract, not named by the chain's configuration, says that the signer called for another account. */
  claimant: Address | null
}

/** The acts of a transaction, in the order of their logs. `isAccount`: the called address ran code, and is an account for good. */
export function actsOf(sent: Transaction, logs: readonly DecodedLog[], isAccount: boolean): Acted[] {
  const { to } = sent
  const operations = logs.filter(({ kind }) => kind === 'user_operation')
  // Another contract may call the entry point with an operation of a stranger, beside deeds of its own. Those are the signer's.
  if (operations.length > 0)
    return operations.every(({ address }) => address === to) ? splitByOperation(sent, logs) : [ofSigner(sent, logs)]
  if (to === null || !isAccount) return [ofSigner(sent, logs)]
  return [{ ...ofSigner(sent, logs), transaction: { ...sent, from: to, to: null, value: 0n } }]
}

/**
 * Several operations are validated together before the first is executed: nobody knows whose those logs are. By the rules
 * of bundlers (ERC-7562) they launch nothing, so whoever breaks these acts for itself.
 */
function splitByOperation(sent: Transaction, logs: readonly DecodedLog[]): Acted[] {
  const isOne = logs.filter(({ kind }) => kind === 'user_operation').length === 1
  const firstOperation = isOne
    ? 0
    : Math.max(
        0,
        logs.findIndex((log) => log.kind === 'operations_begin' && log.address === sent.to),
      )
  const acts: Acted[] = firstOperation === 0 ? [] : [ofSigner(sent, logs.slice(0, firstOperation))]
  let rest: DecodedLog[] = []
  for (const log of logs.slice(firstOperation)) {
    rest.push(log)
    if (log.kind !== 'user_operation') continue
    acts.push(ofOperation(sent, rest, log))
    rest = []
  }
  return rest.length === 0 ? acts : [...acts, ofSigner(sent, rest)]
}

const ofSigner = (transaction: Transaction, logs: readonly DecodedLog[]): Acted => ({
  transaction,
  logs,
  // Any other contract that logs this would hide who called it.
  claimant: logs.find(({ kind, address }) => kind === 'forwarded' && address === transaction.to)?.address ?? null,
})

const ofOperation = (sent: Transaction, logs: readonly DecodedLog[], { sender }: LogOf<'user_operation'>): Acted => ({
  transaction: { ...sent, from: sender, to: null, value: 0n },
  logs,
  claimant: null,
})

/** The requests of a forwarder that the chain's configuration names, as operations of their signers. */
export function nameSigners({ forwarders }: Pick<Known, 'forwarders'>, logs: DecodedLog[]): DecodedLog[] {
  if (forwarders.size === 0 || !logs.some((log) => log.kind === 'forwarded' && forwarders.has(log.address))) return logs
  return logs.map((log) => {
    if (log.kind !== 'forwarded' || !forwarders.has(log.address)) return log
    const { address, logIndex, txHash, signer } = log
    return { kind: 'user_operation', address, logIndex, txHash, sender: signer }
  })
}
