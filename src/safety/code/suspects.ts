// Functions that may harm holders, and how they are tried. Input: the functions of contracts. Output: those worth a
// trial, and call data for each caller.
import type { Address } from '../../base/address.ts'
import { DAY_SECONDS } from '../../base/time.ts'
import { selectorOf } from '../../chain/contracts/words.ts'
import type { Asker } from '../node/asker.ts'
import { accountOf } from '../node/chance.ts'
import type { TrialAct, TrialSetting } from './aftermath.ts'
import { type ArgumentSetting, attemptData, attemptOther, VARIANT_COUNT } from './arguments.ts'
import { type ContractFunction, splitTypes } from './functions.ts'
import type { Insider } from './insiders.ts'
import { NAMED_FUNCTIONS, STANDARD_SELECTORS } from './signatures.ts'

/** A function of the token, or of a contract that it calls. */
export interface Suspect extends ContractFunction {
  contract: Address
  /** Other types that its arguments may have; null where the code shows its types. */
  otherTypes: readonly string[] | null
}

export interface Attempt {
  suspect: Suspect
  caller: Insider
  variant: number
  act: TrialAct
}

/** A lock of holders' tokens that no holder waits for: five years. */
export const LOCK_SECONDS = 5 * 365 * DAY_SECONDS

export const functionKeyOf = ({ contract, selector }: Pick<Suspect, 'contract' | 'selector'>): string =>
  `${contract}/${selector}`

/** Functions worth trying; those with a telling name come first, because calls are few. */
export function suspectsOf(functions: readonly ContractFunction[], contract: Address): Suspect[] {
  const transfer = functions.find(({ selector }) => selector === TRANSFER)
  const areAccountsShown = transfer === undefined || transfer.types[0] === 'address'
  return functions
    .filter(({ selector, isWriting }) => isWriting && !STANDARD_SELECTORS.has(selector))
    .map((each) => {
      const types = typesOf(each)
      return { ...each, types, contract, otherTypes: areAccountsShown ? null : withAccount(types) }
    })
    .toSorted((a, b) => Number(NAMED_FUNCTIONS.has(b.selector)) - Number(NAMED_FUNCTIONS.has(a.selector)))
}

const TRANSFER = selectorOf('transfer(address,uint256)').slice(2)

/** A known name tells the types, whatever the code shows. */
function typesOf({ selector, types }: ContractFunction): readonly string[] {
  const signature = NAMED_FUNCTIONS.get(selector)?.signature
  return signature === undefined ? types : splitTypes(signature.slice(signature.indexOf('(') + 1, -1))
}

/** Code of Vyper or Huff shows an account as a number: the first number may be one. */
function withAccount(types: readonly string[]): string[] | null {
  const first = types.findIndex((type) => /^u?int|^bytes32$/.test(type))
  return first === -1 ? null : types.map((type, at) => (at === first ? 'address' : type))
}

/** Contracts of the trial that an act may name. */
export const helpersOf = (seed: string) => ({
  hollow: accountOf(seed, 'hollow'),
  refusing: accountOf(seed, 'refusing'),
  module: accountOf(seed, 'module'),
})

export const strangerOf = (seed: string): Insider => ({
  address: accountOf(seed, 'stranger'),
  as: 'code',
  isContract: false,
})

/** Call data by caller and variant; none where no arguments can be made up, or an earlier variant has the same. */
export function createActs(
  { block }: Pick<Asker, 'block'>,
  { token, keeper, holders, seed }: Pick<TrialSetting, 'token' | 'keeper' | 'holders' | 'seed'>,
  supply: bigint,
) {
  return (suspect: Suspect, caller: Insider, variant: number): Attempt[] => {
    const words: ArgumentSetting = {
      victims: holders.map(({ address }) => address),
      caller: caller.address,
      subject: suspect.contract === token ? null : token,
      pool: keeper,
      ...helpersOf(seed),
      supply,
      held: holders[0]?.balance ?? 0n,
      later: BigInt(block.time + LOCK_SECONDS),
    }
    const { selector, types, otherTypes } = suspect
    const data =
      variant < VARIANT_COUNT
        ? attemptData(selector, types, variant, words)
        : otherTypes && attemptOther(selector, otherTypes, variant - VARIANT_COUNT, words)
    return data === null
      ? []
      : [{ suspect, caller, variant, act: { from: caller.address, to: suspect.contract, data } }]
  }
}
