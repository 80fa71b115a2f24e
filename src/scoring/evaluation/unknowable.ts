// What labelled files cannot know of a token: its contract, its holders, often its traders. The floors that only say so would
// lift every token of the files alike.
import type { FloorReason } from '../../base/vocabulary.ts'
import { settleScore } from '../composite.ts'
import type { ModelledRisk } from '../measured-risk.ts'

const UNKNOWABLE: ReadonlySet<FloorReason> = new Set(['contract_not_checked', 'low_confidence'])

/** The score, without the floors of what the files cannot know. */
export const scoreWithoutUnknowable = (modelled: Pick<ModelledRisk, 'composite' | 'floors'>): number =>
  settleScore({
    composite: modelled.composite,
    floors: modelled.floors.filter(({ reason }) => !UNKNOWABLE.has(reason)),
  })
