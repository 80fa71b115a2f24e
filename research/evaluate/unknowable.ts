// Facts that labelled files lack: a token's contract, its holders, often its traders. The floors for missing facts
// would lift every token of the files alike.
import type { FloorReason } from '../../src/base/vocabulary.ts'
import { settleScore } from '../../src/scoring/composite.ts'
import type { ModelledRisk } from '../../src/scoring/measured-risk.ts'

const UNKNOWABLE: ReadonlySet<FloorReason> = new Set(['contract_not_checked', 'low_confidence'])

/** The score, without the floors of facts that the files lack. */
export const scoreWithoutUnknowable = (modelled: Pick<ModelledRisk, 'composite' | 'floors'>): number =>
  settleScore({
    composite: modelled.composite,
    floors: modelled.floors.filter(({ reason }) => !UNKNOWABLE.has(reason)),
  })
