// The effect of a contract check on a token's score: the floors of its findings, and the gap of its confidence.
import type { ConfidenceGap } from '../base/vocabulary.ts'
import type { Floor } from '../ledger/explanation.ts'
import type { ContractFacts } from '../ledger/facts/facts.ts'
import type { SafetyFinding } from '../safety/report.ts'

/** One floor per finding that has a strength. */
export const contractFloors = (contract: ContractFacts | null): Floor[] =>
  (contract?.findings ?? [])
    .filter(({ strength }) => strength > 0)
    .map((finding) => ({ reason: finding.name, atLeast: isShut(finding) ? 100 : finding.strength }))

/** Every holder that was tried was refused: no other fact, and no passing of time, makes it less of a risk. */
const isShut = ({ name, numbers: { tried = 0, blocked = 0 } }: SafetyFinding): boolean =>
  name === 'cannot_sell' && blocked > 1 && blocked === tried

/** The missing parts of the check; null if it finished. */
export function contractGap(contract: ContractFacts | null): ConfidenceGap | null {
  if (contract?.sellCheck.status !== 'checked') return 'contract_not_checked'
  return contract.complete ? null : 'contract_checked_in_part'
}
