// Shared sentences: withdrawals of liquidity, the check of the contract, the record of the makers, owners, and the
// chance of a pull.
import { NEVER } from '../base/time.ts'
import { shortenAddress } from '../words/address.ts'
import { countOf, sayUsd, toCount, toPercent } from '../words/numbers.ts'
import { LEAST_USD } from './bounds.ts'
import { contractStrength, tellFinding } from './contract.ts'
import type { CheckedContract, VerdictMeasures } from './facts.ts'

/** From this share on a wallet that can withdraw it is named. */
const NAMED_SHARE = 0.3
const NOTHING = 0.005

export function tellWithdrawal(measures: VerdictMeasures): string {
  const { liquidityUsd, exitShare, withdrawableShare } = measures
  if (liquidityUsd < LEAST_USD) return 'No liquidity is left'
  const money = `Liquidity ${sayUsd(liquidityUsd)}`
  if (exitShare === null) return `${money}, and nobody knows who can withdraw it`
  if ((withdrawableShare ?? 1) < NOTHING)
    return `${money}, ${tellLock(measures) || 'burned or locked'}: nobody can withdraw it`
  const lock = tellLock(measures)
  if (exitShare < NAMED_SHARE) {
    const most = exitShare < NOTHING ? 'much of it' : `more than ${toPercent(exitShare)}`
    return `${money}, ${lock && `${lock}: `}no wallet can withdraw ${most}`
  }
  const address = measures.withdrawer?.address
  const who = address ? shortenAddress(address) : 'one wallet'
  return `${money}, ${lock || 'unlocked'}: ${who} can withdraw ${toPercent(exitShare)}`
}

/** The share in locks with a known end. */
function tellLock({ datedShare, lockedUntil }: VerdictMeasures): string {
  if (lockedUntil === null || (datedShare ?? 0) < NOTHING) return ''
  return `${toPercent(datedShare ?? 0)} locked ${lockedUntil === NEVER ? 'for good' : `until ${toDate(lockedUntil)}`}`
}

/** The UTC day of a time in seconds since 1970, such as 2026-03-01. */
export const toDate = (seconds: number): string => new Date(seconds * 1_000).toISOString().slice(0, 10)

/** The strongest finding; without one, the result of the check. */
export function tellContract(contract: CheckedContract | null): string {
  const strongest = contract?.findings.find(({ strength }) => strength > 0)
  if (strongest) return tellFinding(strongest.name, contract)
  if (contract?.sellCheck.status !== 'checked') return 'Its contract was not checked'
  if (contract.sellCheck.sellable !== true) return 'Whether it can be sold was tried, without a clear answer'
  // A transfer to the pool is half of a sale.
  const trial = contract.sellCheck.method === 'transfer' ? 'Holders could send it to the pool' : 'A trial sale worked'
  return contract.complete
    ? `${trial}, and nobody was found who can change it without notice`
    : `${trial}; the rest of its contract was not checked`
}

/** Whether a complete check found that it can be sold and that nobody can change that. */
export const isContractSound = (contract: CheckedContract | null): boolean =>
  contract?.sellCheck.sellable === true && contract.complete && contractStrength(contract) === 0

/** The earlier pulls of its makers; empty without any. */
export function tellRecord(measures: VerdictMeasures): string {
  const { deployerTokenCount, deployerPulledCount, openerPoolCount, openerEmptiedCount } = measures
  const { funderTokenCount, funderPulledCount } = measures
  const deployed = tellPart(deployerPulledCount, deployerTokenCount, "its deployer's", 'earlier token')
  const opened = tellPart(openerEmptiedCount, openerPoolCount, "its opener's", 'other pool')
  const kin = tellKin(funderPulledCount, funderTokenCount)
  return [deployed && `${deployed} pulled`, kin, opened && `${opened} emptied`].filter(Boolean).join(', ')
}

function tellKin(pulled: number, all: number): string {
  if (pulled === 0) return ''
  if (all === 1) return 'a token of a wallet with the same funder was pulled'
  return `${pulled} of ${countOf(all, 'token')} of wallets with the same funder ${pulled === 1 ? 'was' : 'were'} pulled`
}

/** "2 of its deployer's 3 earlier tokens were"; empty for none. */
function tellPart(part: number, all: number, whose: string, noun: string): string {
  if (part === 0) return ''
  return all === 1
    ? `${whose} only ${noun} was`
    : `${part} of ${whose} ${countOf(all, noun)} ${part === 1 ? 'was' : 'were'}`
}

/** The largest owner, and its share: linked wallets count as one owner, and are not one holder. */
export const tellLargestOwner = (share: number, walletCount: number): string =>
  walletCount > 1
    ? `${toCount(walletCount)} linked wallets together own ${toPercent(share)} of the supply`
    : `one wallet owns ${toPercent(share)} of the supply`

/** The holdings of a cluster: its share of the supply, and of the supply outside pools if that differs. */
export function tellCluster(heldShare: number, supplyShare: number): string {
  const [held, outside] = [toPercent(heldShare), toPercent(supplyShare)]
  return `linked wallets own ${held} of the supply${held === outside ? '' : `, ${outside} of what lies outside its pools`}`
}
