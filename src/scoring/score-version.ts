// Names the version of scores and their texts. A start that finds scores of another form computes all of them anew.
// Otherwise a token without trades would keep the score and the words of the previous version.
import { createHash } from 'node:crypto'
import { RISK_INPUTS } from './risk-inputs.ts'
import fitted from './risk-model.json' with { type: 'json' }
import * as weights from './weights.ts'

/**
 * Raise it when code changes a score, a class, a reason or a summary of the same facts. Changes of data and weights are
 * detected.
 */
const REVISION = 8

export const SCORE_VERSION = createHash('sha256')
  .update(JSON.stringify([REVISION, fitted, weights, RISK_INPUTS]))
  .digest('hex')
  .slice(0, 16)
