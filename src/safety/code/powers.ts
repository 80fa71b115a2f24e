// The powers over a token's holders: each writing function is tried as each insider, with extreme arguments, and then a
// holder's transfers. Input: the code and the insiders. Output: powers. This takes the most calls of a check, so it
// runs once for each code, implementation and owner.
import type { Address } from '../../base/address.ts'
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
  /** `none` also if a holder could not send before, or if time or calls ran out: then a later check tries again. */
  tried: PowersTried
}

const MAX_DRY_RUNS = 90
const MAX_TRIALS = 48

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
  setting: Omit<TrialSetting, 'code'>
  supply: bigint
  callers: readonly Insider[]
  suspects: readonly Suspect[]
}

const UNTRIED: TrialResult = { harms: [], callable: new Set(), tried: 'none' }

export async function tryPowers({ asker, setting: plain, supply, callers, suspects }: TrialPlan): Promise<TrialResult> {
  const { seed, holders, keeper } = plain
  const [hollow, refusing] = [accountOf(seed, 'hollow'), accountOf(seed, 'refusing')]
  const setting = { ...plain, code: { [hollow]: HOLLOW, [refusing]: REFUSING } as Record<Address, Hex> }
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
    }
    const data = attemptData(suspect.selector, suspect.types, variant, words)
    return data === null
      ? []
      : [{ suspect, caller, variant, act: { from: caller.address, to: suspect.contract, data } }]
  }
  const [reply] = await asker.ask([aftermathCall(asker, setting, null)])
  const before = reply ? readTrial(reply, setting, false) : null
  if (!before || before.arrived.every((each) => each === null)) return UNTRIED
  const { open, isCut } = await findOpen(asker, setting, suspects, [stranger, ...callers], makeAct)
  const { isCut: isCutLater, ...result } = await tryOpen({ asker, setting, before, open, makeAct })
  // A single call does not show harm in a later block.
  const isInPart = isCut || isCutLater || setting.way === 'call'
  return { ...result, tried: asker.isSpent() ? 'none' : isInPart ? 'some' : 'all' }
}

type MakeAct = (suspect: Suspect, caller: Insider, variant: number) => Attempt[]

/** The callers that each function admits. A caller that gets the same refusal as a stranger is not admitted. */
async function findOpen(
  asker: Asker,
  setting: TrialSetting,
  suspects: readonly Suspect[],
  everybody: readonly Insider[],
  makeAct: MakeAct,
): Promise<{ open: { suspect: Suspect; caller: Insider }[]; isCut: boolean }> {
  const attempts = suspects.flatMap((suspect) => everybody.flatMap((caller) => makeAct(suspect, caller, 0)))
  const cut = attempts.slice(0, MAX_DRY_RUNS)
  const replies = await asker.ask(cut.map(({ act }) => dryRun(asker, setting, act)))
  const [stranger] = everybody
  const open = suspects.flatMap((suspect) => {
    const told = cut.flatMap((attempt, at) => (attempt.suspect === suspect ? [{ attempt, reply: replies[at] }] : []))
    const refusal = told.find(({ attempt }) => attempt.caller === stranger)?.reply
    const letIn = told.filter(({ attempt, reply }) => attempt.caller !== stranger && isLetIn(reply, refusal))
    const first = letIn[0] ?? (refusal?.kind === 'result' ? told[0] : undefined)
    return first ? [{ suspect, caller: first.attempt.caller }] : []
  })
  return { open, isCut: cut.length < attempts.length }
}

const isLetIn = (reply: Reply | undefined, refusal: Reply | undefined): boolean =>
  reply?.kind === 'result' ||
  (reply?.kind === 'refused' && !(refusal?.kind === 'refused' && refusal.text === reply.text))

const dryRun = (asker: Asker, { seed, gasPrice }: TrialSetting, act: TrialAct): RpcCall => ({
  method: 'eth_call',
  params: [
    { ...act, gas: ACT_GAS, gasPrice: hexQuantity(gasPriceOf(asker.block, gasPrice, seed)) },
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

/** One variant of all functions at a time, until each has harmed or has no more variants. */
async function tryOpen({ asker, setting, before, open, makeAct }: OpenPlan) {
  const harms: ProvenHarm[] = []
  const callable = new Set<string>()
  let left = MAX_TRIALS
  let isCut = false
  for (let variant = 0; variant < VARIANT_COUNT; variant++) {
    const waiting = open.filter(({ suspect }) => !harms.some(({ attempt }) => attempt.suspect === suspect))
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
      const harm = compare(before, after)
      if (harm) harms.push({ attempt, harm, call: reply.call })
    })
  }
  return { harms, callable, isCut }
}
