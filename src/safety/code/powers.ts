// The powers over a token's holders: each writing function is tried as each insider, with extreme arguments, and then a
// holder's transfers. Input: the code and the insiders. Output: powers. This takes the most calls of a check, so it
// runs once for each code, implementation and owner.
import type { Address } from '../../base/address.ts'
import { DAY_SECONDS } from '../../base/time.ts'
import type { Asker, Reply } from '../node/asker.ts'
import { type Hex, hexQuantity } from '../node/words.ts'
import type { PowersTried, RpcCall } from '../report.ts'
import { accountOf } from '../sale/chance.ts'
import { ACT_GAS, gasPriceOf } from '../sale/gas.ts'
import {
  type Aftermath,
  aftermathCall,
  compare,
  type Harm,
  readTrial,
  type TrialAct,
  type TrialSetting,
} from './aftermath.ts'
import { type ArgumentSetting, attemptData, VARIANT_COUNT } from './arguments.ts'
import type { ContractFunction } from './functions.ts'
import type { Insider } from './insiders.ts'
import { NAMED_FUNCTIONS, STANDARD_SELECTORS } from './signatures.ts'

/** A function of the token, or of a contract that it calls. */
export interface Suspect extends ContractFunction {
  contract: Address
}

export interface Attempt {
  suspect: Suspect
  caller: Insider
  variant: number
  act: TrialAct
}

export interface ProvenHarm {
  attempt: Attempt
  harm: Harm
  call: RpcCall
}

export interface TrialResult {
  harms: readonly ProvenHarm[]
  /** Callable functions, by contract and selector, whether they harmed or not. */
  callable: ReadonlySet<string>
  /** `none` also if no act let a holder send, or if time or calls ran out: then a later check tries again. */
  tried: PowersTried
}

const MAX_DRY_RUNS = 90
const MAX_TRIALS = 48
/** Acts that may open closed sales: of each function the mildest, and the same with the flag turned. */
const MAX_OPENINGS = 16
const OPENING_VARIANTS = [0, 1]
/** Arguments that pass where the mildest do not: a balance, and a small number. */
const OTHER_VARIANTS = [3, 1]
/** A lock of holders' tokens that no holder waits for: five years. */
const LOCK_SECONDS = 5 * 365 * DAY_SECONDS

/** A contract that returns the slot of ERC-1967, so that it passes for an implementation; and one that refuses. */
const HOLLOW = `0x7f360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc60005260206000f3`
const REFUSING = '0x60006000fd'

export const functionKeyOf = ({ contract, selector }: Pick<Suspect, 'contract' | 'selector'>): string =>
  `${contract}/${selector}`

/** Functions worth trying; those with a telling name come first, because calls are few. */
export function suspectsOf(functions: readonly ContractFunction[], contract: Address): Suspect[] {
  return functions
    .filter(({ selector, isWriting }) => isWriting && !STANDARD_SELECTORS.has(selector))
    .map((each) => ({ ...each, contract }))
    .toSorted((a, b) => Number(NAMED_FUNCTIONS.has(b.selector)) - Number(NAMED_FUNCTIONS.has(a.selector)))
}

export interface TrialPlan {
  asker: Asker
  setting: Omit<TrialSetting, 'code' | 'opening'>
  supply: bigint
  callers: readonly Insider[]
  suspects: readonly Suspect[]
}

const UNTRIED: TrialResult = { harms: [], callable: new Set(), tried: 'none' }

export async function tryPowers({ asker, setting: plain, supply, callers, suspects }: TrialPlan): Promise<TrialResult> {
  const { seed, holders, keeper } = plain
  const [hollow, refusing] = [accountOf(seed, 'hollow'), accountOf(seed, 'refusing')]
  const code = { [hollow]: HOLLOW, [refusing]: REFUSING } as Record<Address, Hex>
  const setting: TrialSetting = { ...plain, code, opening: null }
  const stranger: Insider = { address: accountOf(seed, 'stranger'), as: 'code', isContract: false }
  const makeAct = (suspect: Suspect, caller: Insider, variant: number): Attempt[] => {
    const words: ArgumentSetting = {
      victims: holders.map(({ address }) => address),
      caller: caller.address,
      subject: suspect.contract === plain.token ? null : plain.token,
      pool: keeper,
      hollow,
      refusing,
      supply,
      held: holders[0]?.balance ?? 0n,
      later: BigInt(asker.block.time + LOCK_SECONDS),
    }
    const data = attemptData(suspect.selector, suspect.types, variant, words)
    return data === null
      ? []
      : [{ suspect, caller, variant, act: { from: caller.address, to: suspect.contract, data } }]
  }
  const [reply] = await asker.ask([aftermathCall(asker, setting, null)])
  const now = reply ? readTrial(reply, setting, false) : null
  if (!now) return UNTRIED
  const { open, isCut } = await findOpen(asker, setting, suspects, [stranger, ...callers], makeAct)
  const plan = { asker, setting, before: now, open, makeAct }
  const opened = canSend(now) ? plan : await openSales(plan)
  const { isCut: isCutLater, ...result } = await tryOpen(opened ?? plan)
  // A single call does not show harm in a later block.
  const isInPart = isCut || isCutLater || setting.way === 'call'
  return { ...result, tried: asker.isSpent() || !opened ? 'none' : isInPart ? 'some' : 'all' }
}

const canSend = ({ arrived }: Aftermath): boolean => arrived.some((each) => each !== null)

type MakeAct = (suspect: Suspect, caller: Insider, variant: number) => Attempt[]

/**
 * The callers that each function admits. A caller that gets the same refusal as a stranger is not admitted, unless
 * other arguments pass. The first caller is tried for all functions, the others for those that refuse it.
 */
async function findOpen(
  asker: Asker,
  setting: TrialSetting,
  suspects: readonly Suspect[],
  [stranger, first, ...others]: readonly Insider[],
  makeAct: MakeAct,
): Promise<{ open: { suspect: Suspect; caller: Insider }[]; isCut: boolean }> {
  let left = MAX_DRY_RUNS
  let isCut = false
  const replies = new Map<Suspect, { attempt: Attempt; reply: Reply }[]>()
  const dryRuns = async (those: readonly Suspect[], callers: readonly (Insider | undefined)[], variant = 0) => {
    const wanted = those.flatMap((suspect) =>
      callers.flatMap((caller) => (caller ? makeAct(suspect, caller, variant) : [])),
    )
    const attempts = wanted.slice(0, left)
    isCut ||= attempts.length < wanted.length
    left -= attempts.length
    const told = await asker.ask(attempts.map(({ act }) => dryRun(asker, setting, act)))
    attempts.forEach((attempt, at) => {
      const reply = told[at]
      if (reply) replies.set(attempt.suspect, [...(replies.get(attempt.suspect) ?? []), { attempt, reply }])
    })
  }
  const admitted = (suspect: Suspect): Insider[] => {
    const told = replies.get(suspect) ?? []
    const refusal = told.find(({ attempt }) => attempt.caller === stranger)?.reply
    const letIn = told.find(
      ({ attempt: { caller, variant }, reply }) =>
        caller !== stranger && (variant === 0 ? isLetIn(reply, refusal) : reply.kind === 'result'),
    )
    return letIn ? [letIn.attempt.caller] : refusal?.kind === 'result' && stranger ? [stranger] : []
  }
  const refusing = () => suspects.filter((suspect) => admitted(suspect).length === 0)
  await dryRuns(suspects, [stranger, first])
  for (const variant of OTHER_VARIANTS) await dryRuns(refusing(), [first], variant)
  await dryRuns(refusing(), others)
  return { open: suspects.flatMap((suspect) => admitted(suspect).map((caller) => ({ suspect, caller }))), isCut }
}

const isLetIn = (reply: Reply | undefined, refusal: Reply | undefined): boolean =>
  reply?.kind === 'result' ||
  (reply?.kind === 'refused' && !(refusal?.kind === 'refused' && refusal.text === reply.text))

const dryRun = (asker: Asker, { seed }: TrialSetting, act: TrialAct): RpcCall => ({
  method: 'eth_call',
  params: [
    { ...act, gas: ACT_GAS, gasPrice: hexQuantity(gasPriceOf(asker.block, seed)) },
    asker.block.tag,
    { [act.from]: { balance: hexQuantity(10n ** 18n + BigInt(seed.length)) } },
  ],
})

interface OpenPlan {
  asker: Asker
  setting: TrialSetting
  before: Aftermath
  open: readonly { suspect: Suspect; caller: Insider }[]
  makeAct: MakeAct
}

/** Where nobody can send: the plan after the first act that lets a holder send; null for none. */
async function openSales(plan: OpenPlan): Promise<OpenPlan | null> {
  const { asker, setting, open, makeAct } = plan
  const attempts = OPENING_VARIANTS.flatMap((variant) =>
    open.flatMap(({ suspect, caller }) => makeAct(suspect, caller, variant)),
  ).slice(0, MAX_OPENINGS)
  const replies = await asker.ask(attempts.map(({ act }) => aftermathCall(asker, setting, act)))
  for (const [at, { act }] of attempts.entries()) {
    const reply = replies[at]
    const before = reply ? readTrial(reply, setting, true) : null
    if (before && canSend(before)) return { ...plan, setting: { ...setting, opening: act }, before }
  }
  return null
}

/**
 * Whether nothing graver is to be found. A function without a telling name may do more than stop sales, such as set a
 * balance.
 */
const isSettled = (harms: readonly ProvenHarm[], suspect: Suspect): boolean =>
  harms.some(
    ({ attempt, harm }) =>
      attempt.suspect === suspect && (NAMED_FUNCTIONS.has(suspect.selector) || GRAVE.has(harm.effect)),
  )

const GRAVE: ReadonlySet<Harm['effect']> = new Set<Harm['effect']>(['minted', 'taken', 'destroyed'])

/** One variant of all functions at a time, until each has harmed or has no more variants. */
async function tryOpen({ asker, setting, before, open, makeAct }: OpenPlan) {
  const harms: ProvenHarm[] = []
  const callable = new Set<string>()
  let left = MAX_TRIALS
  let isCut = false
  for (let variant = 0; variant < VARIANT_COUNT; variant++) {
    const waiting = open.filter(({ suspect }) => !isSettled(harms, suspect))
    const wanted = waiting.flatMap(({ suspect, caller }) => makeAct(suspect, caller, variant))
    const attempts = wanted.slice(0, left)
    isCut ||= attempts.length < wanted.length
    left -= attempts.length
    const replies = await asker.ask(attempts.map(({ act }) => aftermathCall(asker, setting, act)))
    attempts.forEach((attempt, at) => {
      const reply = replies[at]
      const after = reply ? readTrial(reply, setting, true) : null
      if (!reply || !after) return
      callable.add(functionKeyOf(attempt.suspect))
      const harm = compare(before, after, NAMED_FUNCTIONS.get(attempt.suspect.selector)?.kind === 'mint')
      const isKnown = harms.some(
        (known) => known.attempt.suspect === attempt.suspect && known.harm.effect === harm?.effect,
      )
      if (harm && !isKnown) harms.push({ attempt, harm, call: reply.call })
    })
  }
  return { harms, callable, isCut }
}
