// What the score says of a token.
import { HIGHEST_OF_LEVELS, RISK_CUTS } from '../base/risk-level.ts'
import type { FieldRow } from './field.ts'

export const RISK_FIELDS = {
  trendingScore: {
    unit: 'none',
    shown: { type: 'Float', text: 'The key of the order "trending"; no unit.', example: 3.4 },
    order: 'The trending score.',
  },
  riskScore: {
    unit: 'points, 0-100',
    shown: { type: 'Float', text: 'The risk, 0-100; higher is riskier.', example: 30 },
    order: 'The risk score.',
    conditions: {
      maxRiskScore: {
        is: 'most',
        text: 'The highest risk score, 0-100.',
        for: 'all',
        min: 0,
        max: 100,
        began: 'risk fell to {}',
        page: ['Risk', Object.values(HIGHEST_OF_LEVELS)],
      },
      minRiskScore: {
        is: 'least',
        text: 'The lowest risk score, 0-100. A token has a danger from 50 on, where the level high begins.',
        for: 'alerts',
        min: 0,
        max: 100,
        began: 'risk rose to {}',
        page: ['Risk', Object.values(RISK_CUTS)],
      },
    },
  },
  confidence: {
    conditions: {
      minConfidence: {
        is: 'rank',
        of: 'confidence',
        text: 'The least confidence of the risk score.',
        for: 'lists',
      },
    },
  },
  riskFlags: {
    conditions: {
      excludeFlags: {
        is: 'none',
        of: 'flags',
        text: 'Excludes tokens with any of these flags.',
        for: 'all',
        began: 'an excluded flag was lifted',
      },
      includeFlags: {
        is: 'any',
        of: 'flags',
        text: 'Only tokens with at least one of these flags.',
        for: 'alerts',
        began: 'flags are now {}',
      },
    },
  },
} as const satisfies Record<string, FieldRow>
