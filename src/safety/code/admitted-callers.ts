// The callers that each function admits. Input: functions, a stranger as the control, and insiders. Output: whom a
// function admits, by plain calls alone. A caller that gets the same refusal as the stranger is not admitted, unless
// other arguments pass.

import { hexQuantity } from '../../chain/raw.ts'
import type { Asker } from '../node/asker.ts'
import { ACT_GAS, gasPriceOf } from '../node/gas.ts'
import type { Reply } from '../node/reply.ts'
import type { RpcCall } from '../report.ts'
import type { TrialAct } from './aftermath.ts'
import { VARIANT_COUNT } from './arguments.ts'
import type { Insider } from './insiders.ts'
import { type Attempt, functionKeyOf, type Suspect } from './suspects.ts'

/** Arguments that pass where the mildest do not: a balance, a small number, and an account for a number. */
const OTHER_VARIANTS = [3, 1, VARIANT_COUNT]

export type MakeAct = (suspect: Suspect, caller: Insider, variant: number) => Attempt[]

/** The caller that passed where a stranger was refused, and its call; null: nobody known passed. */
export interface Admitted {
  caller: Insider | null
  call: RpcCall
}

/** A function and a caller that it seems to admit. */
export interface AdmittedCall {
  suspect: Suspect
  caller: Insider
}

/** Variants of calls that may open closed sales or mints: the mildest, and the same with the flag turned. */
const OPENING_VARIANTS = [0, 1]

export const openingsOf = (open: readonly AdmittedCall[], makeAct: MakeAct): Attempt[] =>
  OPENING_VARIANTS.flatMap((variant) => open.flatMap(({ suspect, caller }) => makeAct(suspect, caller, variant)))

export interface AdmittedCallers {
  /** Who may pass: also callers that another refusal than the stranger's met. */
  open: readonly AdmittedCall[]
  /** By contract and selector; only where the deployer's call and the stranger's tell it. */
  admitted: ReadonlyMap<string, Admitted>
  /** Whether the bound left calls out. */
  isCut: boolean
}

export interface AdmissionPlan {
  asker: Asker
  seed: string
  suspects: readonly Suspect[]
  stranger: Insider
  callers: readonly Insider[]
  makeAct: MakeAct
  maxCalls: number
  /** Whether the node takes state overrides: then callers pay for gas, as in a real transaction. */
  canOverride: boolean
}

interface Told {
  attempt: Attempt
  reply: Reply
}

/** The first caller is tried for all functions, the others for those that refuse it. */
export async function findAdmission(plan: AdmissionPlan): Promise<AdmittedCallers> {
  return (await tryAdmission(plan)) ?? (await tryAdmission(plan)) ?? { open: [], admitted: new Map(), isCut: true }
}

/** Null: the contract answered otherwise when it was asked alone, so that no request is shared any more. */
async function tryAdmission(plan: AdmissionPlan): Promise<AdmittedCallers | null> {
  const { asker, suspects, stranger, callers, makeAct } = plan
  const [first, ...others] = callers
  let left = plan.maxCalls
  let isCut = false
  const replies = new Map<Suspect, readonly Told[]>()
  const dryRuns = async (those: readonly Suspect[], by: readonly (Insider | undefined)[], variant = 0) => {
    const wanted = those.flatMap((suspect) => by.flatMap((caller) => (caller ? makeAct(suspect, caller, variant) : [])))
    const attempts = wanted.slice(0, left)
    isCut ||= attempts.length < wanted.length
    left -= attempts.length
    const told = await asker.ask(attempts.map(({ act }) => dryRun(plan, act)))
    return attempts.flatMap((attempt, at): Told[] => {
      const reply = told[at]
      return reply ? [{ attempt, reply }] : []
    })
  }
  const note = (told: readonly Told[]) => {
    for (const each of told) {
      const { suspect } = each.attempt
      replies.set(suspect, [...(replies.get(suspect) ?? []), each])
    }
  }
  const letIn = (suspect: Suspect) => findLetIn(replies.get(suspect) ?? [], stranger)
  const refusing = () => suspects.filter((suspect) => letIn(suspect) === null)
  const begun = await dryRuns(suspects, [stranger, first])
  if (asker.sharesTries() && !(await isConfirmed(asker, begun, stranger))) {
    asker.distrust()
    return null
  }
  note(begun)
  const steps = [
    ...OTHER_VARIANTS.map((variant) => () => dryRuns(refusing(), [first], variant)),
    () => dryRuns(refusing(), others),
  ]
  // What shares a request is asked at once; else a function is asked no more once it let somebody in.
  if (asker.sharesTries()) for (const told of await Promise.all(steps.map((step) => step()))) note(told)
  else for (const step of steps) note(await step())
  return {
    open: suspects.flatMap((suspect) => {
      const caller = letIn(suspect)
      return caller ? [{ suspect, caller }] : []
    }),
    admitted: new Map(
      suspects.flatMap((suspect): [string, Admitted][] => {
        const found = nameHolder(replies.get(suspect) ?? [], stranger)
        return found ? [[functionKeyOf(suspect), found]] : []
      }),
    ),
    isCut,
  }
}

/** Asks one of the refusals of an insider alone: a contract may recognise a shared request. */
async function isConfirmed(asker: Asker, told: readonly Told[], stranger: Insider): Promise<boolean> {
  const refused = told.find(({ attempt, reply }) => attempt.caller !== stranger && reply.kind === 'refused')
  const [again] = refused ? await asker.askAlone([refused.reply.call]) : []
  return again?.kind !== 'result'
}

const refusalOf = (told: readonly Told[], stranger: Insider): Told | undefined =>
  told.find(({ attempt }) => attempt.caller === stranger)

function findLetIn(told: readonly Told[], stranger: Insider): Insider | null {
  const control = refusalOf(told, stranger)
  const found = told.find(
    (each) =>
      each.attempt.caller !== stranger &&
      (each.attempt.variant === 0 ? isLetIn(each, control) : each.reply.kind === 'result'),
  )
  return found?.attempt.caller ?? (control?.reply.kind === 'result' ? stranger : null)
}

/** Whoever passed where the stranger was refused; nobody, if the deployer was asked and refused as well. */
function nameHolder(told: readonly Told[], stranger: Insider): Admitted | null {
  const control = refusalOf(told, stranger)
  if (control?.reply.kind !== 'refused') return null
  const insiders = told.filter(({ attempt }) => attempt.caller !== stranger)
  const passed = insiders.find(({ reply }) => reply.kind === 'result')
  if (passed) return { caller: passed.attempt.caller, call: passed.reply.call }
  const deployer = insiders.find(({ attempt }) => attempt.caller.as === 'deployer')
  const areRefused = insiders.every((each) => each.reply.kind === 'refused' && !isLetIn(each, control))
  return deployer && areRefused ? { caller: null, call: deployer.reply.call } : null
}

const isLetIn = (one: Told, control: Told | undefined): boolean =>
  one.reply.kind === 'result' ||
  (one.reply.kind === 'refused' && !(control?.reply.kind === 'refused' && reasonOf(one) === reasonOf(control)))

/** Some refusals name their caller. */
const reasonOf = ({ attempt, reply }: Told): string =>
  reply.kind === 'refused' ? reply.text.toLowerCase().replaceAll(attempt.caller.address.slice(2), '') : ''

function dryRun({ asker, seed, canOverride }: AdmissionPlan, act: TrialAct): RpcCall {
  const { block } = asker
  if (!canOverride) return { method: 'eth_call', params: [{ ...act, gas: ACT_GAS }, block.tag] }
  const purse = { [act.from]: { balance: hexQuantity(10n ** 18n + BigInt(seed.length)) } }
  const transaction = { ...act, gas: ACT_GAS, gasPrice: hexQuantity(gasPriceOf(block, seed)) }
  return { method: 'eth_call', params: [transaction, block.tag, purse] }
}
