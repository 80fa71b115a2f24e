// The powers over a token's holders: each writing function is tried as each insider, with extreme arguments, and then a
// holder's transfers. Input: the code and the insiders. Output: powers. This takes the most calls of a check, so it
// runs once for each code, implementation and owner.
import type { Address } from '../../base/address.ts'
import type { Hex } from '../../chain/contracts/words.ts'
import type { Asker } from '../node/asker.ts'
import { accountOf } from '../node/chance.ts'
import type { PowersTried, RpcCall } from '../report.ts'
import { prepareSenders } from '../sale/sends.ts'
import {
  type AdmissionPlan,
  type Admitted,
  type AdmittedCall,
  findAdmission,
  type MakeAct,
  openingsOf,
} from './admitted-callers.ts'
import {
  type Aftermath,
  aftermathCall,
  canSend,
  canTake,
  compare,
  type Harm,
  RUN_TOPIC,
  readTrial,
  type TrialSetting,
} from './aftermath.ts'
import { ALL_VARIANT_COUNT } from './arguments.ts'
import { type EmptyAddress, findDeciders, openByCode } from './empty-addresses.ts'
import { findEndedMints } from './ended-mints.ts'
import type { Insider } from './insiders.ts'
import { findMapped } from './mappings.ts'
import { NAMED_FUNCTIONS } from './signatures.ts'
import { type Attempt, createActs, functionKeyOf, helpersOf, type Suspect, strangerOf } from './suspects.ts'

export interface ProvenHarm {
  attempt: Attempt
  harm: Harm
  call: RpcCall
}

/** Who can take from holders that approved another, by no function of its own. */
export interface Taker {
  caller: Insider
  call: RpcCall
}

export interface TrialResult {
  harms: readonly ProvenHarm[]
  takers: readonly Taker[]
  /** Addresses without code on which sales depend. */
  deciders: readonly EmptyAddress[]
  /** Harmful acts that only an entry of a mapping admits. */
  mapped: ReadonlySet<Attempt>
  /** Callable functions, by contract and selector, whether they harmed or not. */
  callable: ReadonlySet<string>
  /** Mints that nobody can make any more, by contract and selector. */
  ended: ReadonlySet<string>
  /** Who is admitted, by contract and selector: told by plain calls, beside that of a stranger. */
  admitted: ReadonlyMap<string, Admitted>
  /** Whether a holder could send in the trials, so that an act could stop it. */
  couldSend: boolean
  /** `none` also if no act let a holder send, or if time or calls ran out: then a later check tries again. */
  tried: PowersTried
}

const MAX_DRY_RUNS = 90
const MAX_NAMING_CALLS = 40
const MAX_TRIALS = 48
/** Acts that may open closed sales. */
const MAX_OPENINGS = 16

/** A contract that returns the slot of ERC-1967, so that it passes for an implementation; and one that refuses. */
const HOLLOW = `0x7f360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc60005260206000f3`
const REFUSING = '0x60006000fd'
/** It logs, and answers 1. */
const MODULE = `0x7f${RUN_TOPIC.slice(2)}60006000a1600160005260206000f3`

export interface TrialPlan {
  asker: Asker
  setting: Omit<TrialSetting, 'code' | 'opening' | 'taker'>
  supply: bigint
  callers: readonly Insider[]
  suspects: readonly Suspect[]
  /** Addresses without code that the token may call. */
  empties: readonly Address[]
}

export const UNTRIED: TrialResult = {
  ...{
    harms: [],
    takers: [],
    deciders: [],
    mapped: new Set<Attempt>(),
    callable: new Set<string>(),
    ended: new Set<string>(),
    admitted: new Map<string, Admitted>(),
  },
  ...{ couldSend: false, tried: 'none' },
}

export async function tryPowers(plan: TrialPlan): Promise<TrialResult> {
  const { asker, setting: plain, supply, suspects } = plan
  const { hollow, refusing, module } = helpersOf(plain.seed)
  const code = { [hollow]: HOLLOW, [refusing]: REFUSING, [module]: MODULE } as Record<Address, Hex>
  const setting: TrialSetting = { ...plain, code, opening: null, taker: strangerOf(plain.seed).address }
  const makeAct = createActs(asker, plain, supply)
  prepareSenders(asker, [strangerOf(plain.seed).address, ...plan.callers.map(({ address }) => address)])
  const [reply] = await asker.ask([aftermathCall(asker, setting, null)])
  const now = reply ? readTrial(reply, setting, null) : null
  if (!now) return UNTRIED
  const { open, admitted, isCut } = await findAdmission(toAdmissionPlan(plan, suspects, MAX_DRY_RUNS, true))
  const openPlan = { asker, setting, callers: plan.callers, before: now, open, makeAct }
  const { deciders, opened, other } = await findOpening(openPlan, plan.empties)
  const { isCut: isCutLater, ...result } = await tryOpen(opened ?? other ?? openPlan)
  const mapped = asker.isSpent() ? UNTRIED.mapped : await findMapped(asker, attemptsOfOthers(result.harms))
  // A single call does not show harm in a later block.
  const isInPart = isCut || isCutLater || setting.way === 'call'
  const canEnd = !isInPart && opened === openPlan
  return {
    ...result,
    ...{ admitted, deciders, mapped },
    ended: canEnd
      ? await findEndedMints({ asker, seed: setting.seed, open, makeAct, callable: result.callable })
      : UNTRIED.ended,
    couldSend: opened !== null || other !== null,
    tried: asker.isSpent() || !opened ? 'none' : isInPart ? 'some' : 'all',
  }
}

/** The acts of others than the owner and the admin, who are named elsewhere. */
const attemptsOfOthers = (harms: readonly ProvenHarm[]): Attempt[] =>
  harms.map(({ attempt }) => attempt).filter(({ caller: { as } }) => as !== 'owner' && as !== 'admin')

/** Who holds the powers that names tell, where the node can try none. */
export async function nameHolders(plan: TrialPlan): Promise<TrialResult> {
  const named = plan.suspects.filter(({ selector }) => NAMED_FUNCTIONS.has(selector))
  const { admitted } = await findAdmission(toAdmissionPlan(plan, named, MAX_NAMING_CALLS, false))
  return { ...UNTRIED, admitted }
}

const toAdmissionPlan = (
  { asker, setting, supply, callers }: TrialPlan,
  suspects: readonly Suspect[],
  maxCalls: number,
  canOverride: boolean,
): AdmissionPlan => ({
  ...{ asker, seed: setting.seed, suspects, stranger: strangerOf(setting.seed), callers },
  ...{ makeAct: createActs(asker, setting, supply), maxCalls, canOverride },
})

interface OpenPlan {
  asker: Asker
  setting: TrialSetting
  callers: readonly Insider[]
  before: Aftermath
  open: readonly AdmittedCall[]
  makeAct: MakeAct
}

interface Opening {
  deciders: readonly EmptyAddress[]
  /** The plan in which a holder can send to the pool; null for none. */
  opened: OpenPlan | null
  /** Else a plan in which holders send where they can: no sale was tried by it. */
  other: OpenPlan | null
}

async function findOpening(plan: OpenPlan, empties: readonly Address[]): Promise<Opening> {
  const { asker, setting, before } = plan
  if (canSend(before))
    return { deciders: await findDeciders(asker, setting, empties, before), opened: plan, other: null }
  const opened = await openSales(plan)
  if (opened) return { deciders: [], opened, other: null }
  const found = await openByCode(asker, setting, empties)
  if (found) {
    const { decider, ...later } = found
    return { deciders: [decider], opened: null, other: { ...plan, ...later } }
  }
  return { deciders: [], opened: null, other: await sendElsewhere(plan) }
}

/** Where no holder can send to the pool: the plan in which they send to an account; null if they cannot either. */
async function sendElsewhere(plan: OpenPlan): Promise<OpenPlan | null> {
  const setting = { ...plan.setting, keeper: accountOf(plan.setting.seed, 'receiver') }
  const [reply] = await plan.asker.ask([aftermathCall(plan.asker, setting, null)])
  const before = reply ? readTrial(reply, setting, null) : null
  return before && canSend(before) ? { ...plan, setting, before } : null
}

/** Where nobody can send: the plan after the first act that lets a holder send; null for none. */
async function openSales(plan: OpenPlan): Promise<OpenPlan | null> {
  const { asker, setting, open, makeAct } = plan
  const attempts = openingsOf(open, makeAct).slice(0, MAX_OPENINGS)
  const replies = await asker.ask(attempts.map(({ act }) => aftermathCall(asker, setting, act)))
  for (const [at, { act }] of attempts.entries()) {
    const reply = replies[at]
    const before = reply ? readTrial(reply, setting, act) : null
    if (before && canSend(before)) return { ...plan, setting: { ...setting, opening: act }, before }
  }
  return null
}

/**
 * Whether nothing graver is to be found. A function without a telling name may do more than stop sales. One that sets a
 * balance destroys by small numbers, and mints by large ones.
 */
const isSettled = (harms: readonly ProvenHarm[], suspect: Suspect): boolean =>
  harms.some(
    ({ attempt, harm }) =>
      attempt.suspect === suspect && (NAMED_FUNCTIONS.has(suspect.selector) || GRAVE.has(harm.effect)),
  )

const GRAVE: ReadonlySet<Harm['effect']> = new Set<Harm['effect']>(['minted', 'taken'])

/** Whom no honest token lets spend without an allowance; others may be routers that its code trusts. */
const isResponsible = ({ as, isContract }: Insider): boolean =>
  !isContract && (as === 'owner' || as === 'admin' || as === 'deployer')

/** What callers can take without an act, once a holder has approved somebody else. */
async function tryTaking({ asker, setting, callers, before, open }: OpenPlan) {
  const all = [...new Set([...callers.filter(isResponsible), ...open.map(({ caller }) => caller)])]
  const replies = await asker.ask(all.map(({ address }) => aftermathCall(asker, { ...setting, taker: address }, null)))
  const alone = new Map<Insider, Aftermath>()
  const takers: Taker[] = []
  for (const [at, caller] of all.entries()) {
    const reply = replies[at]
    const found = reply ? readTrial(reply, setting, null) : null
    if (!reply || !found) continue
    alone.set(caller, found)
    if (canTake(found) && !canTake(before) && isResponsible(caller)) takers.push({ caller, call: reply.call })
  }
  return { alone, takers }
}

/** One variant of all functions at a time, until each has harmed or has no more variants. */
async function tryOpen(plan: OpenPlan) {
  const { asker, setting, before, open, makeAct } = plan
  const { alone, takers } = await tryTaking(plan)
  const harms: ProvenHarm[] = []
  const callable = new Set<string>()
  let left = MAX_TRIALS
  let isCut = false
  for (let variant = 0; variant < ALL_VARIANT_COUNT; variant++) {
    const waiting = open.filter(({ suspect }) => !isSettled(harms, suspect))
    const wanted = waiting.flatMap(({ suspect, caller }) => makeAct(suspect, caller, variant))
    const attempts = wanted.slice(0, left)
    isCut ||= attempts.length < wanted.length
    left -= attempts.length
    const replies = await asker.ask(attempts.map(({ act }) => aftermathCall(asker, setting, act)))
    attempts.forEach((attempt, at) => {
      const reply = replies[at]
      const after = reply ? readTrial(reply, setting, attempt.act) : null
      if (!reply || !after) return
      callable.add(functionKeyOf(attempt.suspect))
      const harm = compare(
        alone.get(attempt.caller) ?? before,
        after,
        NAMED_FUNCTIONS.get(attempt.suspect.selector)?.kind === 'mint',
      )
      const isKnown = harms.some(
        (known) => known.attempt.suspect === attempt.suspect && known.harm.effect === harm?.effect,
      )
      if (harm && !isKnown) harms.push({ attempt, harm, call: reply.call })
    })
  }
  return { harms, takers, callable, isCut }
}
