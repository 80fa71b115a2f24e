// Mints that have ended for good: a cap is reached, or minting was finished. Input: mint functions that refused their
// own caller. Output: those that nothing known opens again. Each is tried after every other open function, and again
// years later. Several blocks (`eth_simulateV1`) are needed.

import { hexQuantity } from '../../chain/raw.ts'
import type { Asker } from '../node/asker.ts'
import { ACT_GAS, blockLike, gasPriceOf, purseOf } from '../node/gas.ts'
import type { Reply } from '../node/reply.ts'
import type { RpcCall } from '../report.ts'
import { type AdmittedCall, type MakeAct, openingsOf } from './admitted-callers.ts'
import type { TrialAct } from './aftermath.ts'
import { NAMED_FUNCTIONS } from './signatures.ts'
import { functionKeyOf, LOCK_SECONDS, type Suspect } from './suspects.ts'

/** A small number, so that a cap leaves room for it. */
const MINT_VARIANT = 1
/** With more to try, no mint is called ended. */
const MAX_TRIALS = 24

export interface MintPlan {
  asker: Asker
  seed: string
  /** Functions that admit their caller, as far as refusals tell. */
  open: readonly AdmittedCall[]
  /** Functions that did not revert, by contract and selector. */
  callable: ReadonlySet<string>
  makeAct: MakeAct
}

/** The functions, by contract and selector. */
export async function findEndedMints(plan: MintPlan): Promise<ReadonlySet<string>> {
  const { asker, open, callable } = plan
  const mints = open.filter(({ suspect }) => isPlainMint(suspect) && !callable.has(functionKeyOf(suspect)))
  const trials = mints.flatMap((mint) => trialsOf(plan, mint))
  if (trials.length === 0 || trials.length > MAX_TRIALS) return new Set()
  const replies = await asker.ask(trials.map(({ opening, act }) => trialCall(plan, opening, act)))
  const possible = new Set(trials.filter((_, at) => !isRefused(replies[at])).map(({ key }) => key))
  return new Set(trials.map(({ key }) => key).filter((key) => !possible.has(key)))
}

/** Other arguments, such as a signature, may be the reason of a refusal. */
const isPlainMint = ({ selector, types }: Suspect): boolean =>
  NAMED_FUNCTIONS.get(selector)?.kind === 'mint' && types.every((type) => /^(address|bool|u?int\d*)$/.test(type))

interface Trial {
  key: string
  opening: TrialAct | null
  act: TrialAct
}

function trialsOf({ open, makeAct }: MintPlan, { suspect, caller }: AdmittedCall): Trial[] {
  const [mint] = makeAct(suspect, caller, MINT_VARIANT)
  if (!mint) return []
  const others = open.filter((each) => each.suspect !== suspect)
  const openings = openingsOf(others, makeAct).map(({ act }) => act)
  return [null, ...openings].map((opening) => ({ key: functionKeyOf(suspect), opening, act: mint.act }))
}

function trialCall({ asker: { block }, seed }: MintPlan, opening: TrialAct | null, act: TrialAct): RpcCall {
  const like = blockLike(block, seed)
  const send = (each: TrialAct) => ({ ...each, gas: ACT_GAS, gasPrice: hexQuantity(gasPriceOf(block, seed)) })
  const purses = [act, ...(opening ? [opening] : [])].map(({ from }) => [
    from,
    { balance: hexQuantity(purseOf(seed, from)) },
  ])
  const blocks = [
    {
      blockOverrides: like,
      stateOverrides: Object.fromEntries(purses) as object,
      calls: [...(opening ? [send(opening)] : []), send(act)],
    },
    { blockOverrides: { ...like, time: hexQuantity(block.time + LOCK_SECONDS) }, calls: [send(act)] },
  ]
  return { method: 'eth_simulateV1', params: [{ blockStateCalls: blocks, validation: false }, block.tag] }
}

/** Whether the last call of each block reverted. Without an answer nothing is known. */
function isRefused(reply: Reply | undefined): boolean {
  if (reply?.kind !== 'result' || !Array.isArray(reply.result) || reply.result.length !== 2) return false
  return reply.result.every((block: { calls?: { status?: unknown }[] } | null) => {
    const last = Array.isArray(block?.calls) ? block.calls.at(-1) : undefined
    return last?.status === '0x0'
  })
}
