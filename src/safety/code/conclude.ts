// Powers from trials and names. Input: the trials and the holders of powers. Output: powers with their holders. Pure.
import { type Address, toAddress, ZERO_ADDRESS } from '../../base/address.ts'
import type { PowerKind } from '../../base/vocabulary.ts'
import type { Power, RpcCall } from '../report.ts'
import { kindOf } from './aftermath.ts'
import type { Insider } from './insiders.ts'
import type { TrialResult } from './powers.ts'
import { NAMED_FUNCTIONS } from './signatures.ts'
import { functionKeyOf, type Suspect } from './suspects.ts'

const DEAD = toAddress('0x000000000000000000000000000000000000dead')

const isGone = (holder: Address | null): boolean => holder === ZERO_ADDRESS || holder === DEAD

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
  /** Selectors that no code shows: they count where a known caller is admitted. */
  guessed: ReadonlySet<string>
}

/** The part of a power that its holder tells. */
function factAbout(holders: Conclusion['holders'], holder: Address | null) {
  const fact = holder ? holders.get(holder) : undefined
  return { holderKind: fact?.kind ?? ('unknown' as const), delaySeconds: fact?.delaySeconds ?? 0 }
}

/** Whom a contract names openly. Its creation does so if it names no owner at all. */
const isKnownHolder = ({ address, as }: Insider, owner: Address | null): boolean =>
  address === owner || as === 'admin' || as === 'role' || (owner === null && (as === 'deployer' || as === 'creation'))

/** The name tells the kind, unless the trial did what the name does not say. */
const kindOfHarm = (named: PowerKind | undefined, done: PowerKind): PowerKind =>
  named === undefined || (SECRET_KINDS.has(done) && !SECRET_KINDS.has(named)) ? done : named

/** Proven powers, and those known by name only. */
export function concludePowers(conclusion: Conclusion): Power[] {
  const { token, owner, result, suspects, holders } = conclusion
  const factOf = (holder: Address | null) => factAbout(holders, holder)
  const proven = result.harms.map(({ attempt, harm, call }): Power => {
    const { suspect, caller } = attempt
    const named = NAMED_FUNCTIONS.get(suspect.selector)
    const kind = kindOfHarm(named?.kind, kindOf(harm))
    const isNamed = named?.kind === kind || !SECRET_KINDS.has(kind)
    const isTold = isNamed && suspect.contract === token && isKnownHolder(caller, owner)
    // Whoever pays gets new tokens: that hides nothing, though the asset may be worth nothing.
    const isOpen = isTold || harm.effect === 'bought'
    const isAnyone = caller.as === 'code' && !holders.has(caller.address)
    const { holderKind, delaySeconds } = factOf(caller.address)
    return {
      kind,
      function: named?.signature ?? `0x${suspect.selector}(${suspect.types.join(',')})`,
      contract: suspect.contract,
      holder: isAnyone ? null : caller.address,
      holderKind: isAnyone ? 'anyone' : holderKind,
      renounced: false,
      delaySeconds,
      hidden: !isOpen,
      ...(result.mapped.has(attempt) ? { byMapping: true } : {}),
      proven: true,
      call,
    }
  })
  const taking = result.takers.map(
    ({ caller, call }): Power => ({
      kind: 'take',
      function: 'transferFrom(address,address,uint256)',
      contract: token,
      holder: caller.address,
      renounced: false,
      ...factOf(caller.address),
      hidden: true,
      proven: true,
      call,
    }),
  )
  const told = suspects.filter((suspect) => {
    const named = NAMED_FUNCTIONS.get(suspect.selector)
    if (!named || suspect.contract !== token || result.ended.has(functionKeyOf(suspect))) return false
    if (conclusion.guessed.has(suspect.selector) && !result.admitted.get(functionKeyOf(suspect))?.caller) return false
    const isProven = result.harms.some(({ attempt }) => attempt.suspect === suspect)
    // An admitted caller did no harm, so the code has a bound. Sales that are closed already show none.
    const isShown = result.couldSend || SECRET_KINDS.has(named.kind)
    return !isProven && !(isShown && result.callable.has(functionKeyOf(suspect)))
  })
  return [
    ...taking,
    ...result.deciders.map(toDecided),
    ...proven,
    ...told.flatMap((suspect) => namedPower(suspect, conclusion)),
  ]
}

/** Nobody has this power yet. */
const toDecided = ({ address, call }: TrialResult['deciders'][number]): Power => ({
  kind: 'stop_sales',
  function: 'code',
  contract: address,
  holder: address,
  holderKind: 'empty_address',
  renounced: false,
  delaySeconds: 0,
  hidden: true,
  proven: true,
  call,
})

/** Its holder passes a call that a stranger does not; where no call told that, it is the owner. */
function namedPower(suspect: Suspect, conclusion: Conclusion): Power[] {
  const { owner, admin, holders, codeCalls, result } = conclusion
  const named = NAMED_FUNCTIONS.get(suspect.selector)
  if (!named) return []
  const told = result.admitted.get(functionKeyOf(suspect))
  const said = named.kind === 'upgrade' ? (admin ?? owner) : owner
  const isNobody = told?.caller === null && said === null
  const holder = told?.caller?.address ?? said
  const { holderKind, delaySeconds } = factAbout(holders, holder)
  return [
    {
      kind: named.kind,
      function: named.signature,
      contract: suspect.contract,
      holder,
      holderKind: isNobody ? 'nobody_known' : holderKind,
      renounced: isGone(holder),
      delaySeconds,
      hidden: told?.caller ? !isKnownHolder(told.caller, owner) : false,
      proven: false,
      call: told?.call ?? codeCalls.get(suspect.selector) ?? null,
    },
  ]
}
