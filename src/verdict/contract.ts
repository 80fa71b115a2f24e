// The sentences of a contract check's findings and powers. Each sentence is about the checked block.
import type { ContractFinding } from '../base/vocabulary.ts'
import type { Power, SafetyFinding } from '../safety/report.ts'
import { shortenAddress } from '../words/address.ts'
import { toCount, toPercent } from '../words/numbers.ts'
import type { CheckedContract } from './facts.ts'
import { POWER_WORDS } from './flag-words.ts'

/** The strength of the strongest finding, 0-100. Null: the sale was not checked, and nothing was found. */
export function contractStrength(contract: CheckedContract | null): number | null {
  let strongest = 0
  for (const { strength } of contract?.findings ?? []) strongest = Math.max(strongest, strength)
  return strongest > 0 || contract?.sellCheck.status === 'checked' ? strongest : null
}

/** The sentence of a finding; empty where the check did not find it. */
export function tellFinding(name: ContractFinding, contract: CheckedContract | null): string {
  const finding = contract?.findings.find((one) => one.name === name)
  return finding && contract ? SENTENCES[name](finding, contract) : ''
}

type Tell = (finding: SafetyFinding, contract: CheckedContract) => string

const percent = ({ numbers }: SafetyFinding): string => toPercent((numbers.pct ?? 0) / 100)

const SENTENCES: Readonly<Record<ContractFinding, Tell>> = {
  cannot_sell: (_, { sellCheck }) => tellBlocked(sellCheck),
  balances_gone: ({ numbers }) =>
    `${numbers.differ ?? 0} of ${numbers.asked ?? 0} holders no longer have the balance that their transfers left them`,
  extreme_tax: (finding) => `selling it costs ${percent(finding)} in tax`,
  high_tax: (finding) => `selling it costs ${percent(finding)} in tax`,
  taken_without_approval: () => 'somebody took tokens of holders without their approval',
  nobody_can_buy: () => 'nobody but insiders can buy it',
  late_mint: (finding) => `${percent(finding)} of the supply was minted after the launch`,
  time_bomb: () => 'its contract stops sales later without anybody acting: tried 30 days ahead',
  spends_without_allowance: () => 'its deployer can spend the tokens of holders without their approval',
  hidden_power: ({ power }) =>
    power ? `${tellPower(power)}, ${tellHiding(power)}` : 'somebody has a hidden power over it',
  confiscating_power: ({ power }) => (power ? tellPower(power) : 'somebody can take the tokens of holders'),
  open_power: ({ power }) => (power ? tellPower(power) : 'its owner has powers over transfers'),
  hides_from_simulation: () => 'its contract behaves otherwise when it is only tried',
  answers_differ: () => 'its contract answers the same question in two ways',
  few_buyers_sold: ({ numbers }) => `only ${numbers.sold ?? 0} of its ${numbers.buyers ?? 0} older buyers ever sold`,
  new_buyers_refused: ({ numbers }, { sellCheck }) =>
    `${tellRefused(numbers.blocked ?? 0)} at block ${toCount(sellCheck.checkedBlock)}; ${numbers.blocked === 1 ? 'it' : 'all'} bought within the hour`,
  run_of_buys: ({ numbers }) => `its last ${numbers.buys ?? 0} trades of others are all buys, beyond chance`,
}

const tellRefused = (count: number): string =>
  count === 1 ? 'the only holder that was tried was refused' : `${count} of ${count} holders were refused`

function tellBlocked({ holdersBlocked, holdersTried, checkedBlock }: CheckedContract['sellCheck']): string {
  const at = toCount(checkedBlock)
  return holdersTried > 0
    ? `${holdersBlocked} of ${holdersTried} holders could not sell at block ${at}`
    : `it could not be sold at block ${at}`
}

/** A power with its holder and its guard: "its owner 0x1234...abcd can pause transfers, no timelock". */
export function tellPower({ kind, holder, holderKind, delaySeconds, byMapping }: Power): string {
  const address = holder ? ` ${shortenAddress(holder)}` : ''
  const guard =
    delaySeconds > 0
      ? `after ${toCount(delaySeconds / 3_600)} hours' notice`
      : holderKind === 'multisig'
        ? 'by several signatures'
        : 'without notice'
  if (holderKind === 'time') return `its contract will ${POWER_WORDS[kind]} by itself`
  if (holderKind === 'anyone') return `anybody can ${POWER_WORDS[kind]}`
  if (holderKind === 'nobody_known') return `nobody known can ${POWER_WORDS[kind]}: its deployer is refused`
  if (holderKind === 'empty_address')
    return `whoever brings code to${address}, which has none, can ${POWER_WORDS[kind]}`
  const named = byMapping ? ', which only a mapping names,' : ''
  return `${WHO[holderKind]}${address}${named} can ${POWER_WORDS[kind]} ${guard}`
}

const WHO: Readonly<
  Record<Exclude<Power['holderKind'], 'anyone' | 'time' | 'nobody_known' | 'empty_address'>, string>
> = {
  account: 'one account',
  contract: 'a contract',
  multisig: 'a multisig',
  timelock: 'a timelock',
  unknown: 'an insider',
}

/** A selector without a known name does not show what its name would tell. */
const tellHiding = ({ function: name }: Power): string =>
  name.startsWith('0x') ? 'by a function of unknown name' : 'which its contract hides'
