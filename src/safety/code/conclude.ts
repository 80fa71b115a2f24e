// Powers from trials and names. Input: the trials and the holders of powers. Output: powers with their holders. Pure.
import { type Address, toAddress, ZERO_ADDRESS } from '../../base/address.ts'
import type { PowerKind } from '../../base/vocabulary.ts'
import type { Power, RpcCall } from '../report.ts'
import { kindOf } from './aftermath.ts'
import type { Insider } from './insiders.ts'
import { functionKeyOf, type Suspect, type TrialResult } from './powers.ts'
import { NAMED_FUNCTIONS } from './signatures.ts'

const DEAD = toAddress('0x000000000000000000000000000000000000dead')

/**
 * Powers that an owner has only by a function with a telling name, or in secret. Any owner may bound transfers, by
 * functions of countless names.
 */
const SECRET_KINDS: ReadonlySet<PowerKind> = new Set<PowerKind>(['mint', 'take', 'destroy', 'upgrade'])

/** The holders of powers, as far as known. */
export interface HolderFact {
  kind: Power['holderKind']
  delaySeconds: number
}

export interface Conclusion {
  token: Address
  owner: Address | null
  /** The account that may replace a proxy's implementation, by its storage. */
  admin: Address | null
  result: TrialResult
  suspects: readonly Suspect[]
  holders: ReadonlyMap<Address, HolderFact>
  /** The call for the code that has a function, by selector. */
  codeCalls: ReadonlyMap<string, RpcCall>
}

/** Who has a power openly: the named owner, an admin, or the deployer of a contract that names no owner at all. */
const isKnownHolder = (caller: Insider, owner: Address | null): boolean =>
  caller.address === owner || caller.as === 'admin' || (owner === null && caller.as === 'deployer')

/** Proven powers, and those known by name only. */
export function concludePowers(conclusion: Conclusion): Power[] {
  const { token, owner, result, suspects, holders } = conclusion
  const proven = result.harms.map(({ attempt, harm, call }): Power => {
    const { suspect, caller } = attempt
    const named = NAMED_FUNCTIONS.get(suspect.selector)
    const kind = named?.kind ?? kindOf(harm)
    const isNamed = named !== undefined || !SECRET_KINDS.has(kind)
    const isOpen = isNamed && suspect.contract === token && isKnownHolder(caller, owner)
    const isAnyone = caller.as === 'code' && !holders.has(caller.address)
    const fact = holders.get(caller.address)
    return {
      kind,
      function: named?.signature ?? `0x${suspect.selector}(${suspect.types.join(',')})`,
      contract: suspect.contract,
      holder: isAnyone ? null : caller.address,
      holderKind: isAnyone ? 'anyone' : (fact?.kind ?? 'unknown'),
      renounced: false,
      delaySeconds: fact?.delaySeconds ?? 0,
      hidden: !isOpen,
      proven: true,
      call,
    }
  })
  const told = suspects.filter((suspect) => {
    const isProven = result.harms.some(({ attempt }) => attempt.suspect === suspect)
    // An admitted caller did no harm, so the code has a bound.
    return (
      NAMED_FUNCTIONS.has(suspect.selector) &&
      suspect.contract === token &&
      !isProven &&
      !result.callable.has(functionKeyOf(suspect))
    )
  })
  return [...proven, ...told.flatMap((suspect) => namedPower(suspect, conclusion))]
}

function namedPower(suspect: Suspect, { owner, admin, holders, codeCalls }: Conclusion): Power[] {
  const named = NAMED_FUNCTIONS.get(suspect.selector)
  if (!named) return []
  const holder = named.kind === 'upgrade' ? (admin ?? owner) : owner
  const fact = holder ? holders.get(holder) : undefined
  return [
    {
      kind: named.kind,
      function: named.signature,
      contract: suspect.contract,
      holder,
      holderKind: fact?.kind ?? 'unknown',
      renounced: holder === ZERO_ADDRESS || holder === DEAD,
      delaySeconds: fact?.delaySeconds ?? 0,
      hidden: false,
      proven: false,
      call: codeCalls.get(suspect.selector) ?? null,
    },
  ]
}
