// The judgement. Input: all answers, and the facts of logs. Output: the report. Pure: the same answers give the same
// report.
import type { Address } from '../../base/address.ts'
import type { LogFacts, TakenTransfer } from '../log-facts.ts'
import type { BlockFacts } from '../node/asker.ts'
import type { CodeFacts, Power, PowersTried, RpcCall, SafetyReport } from '../report.ts'
import type { SaleAnswers } from '../sale/sale.ts'
import { findAll, isGone } from './find.ts'
import { toSellCheck, weighSale } from './weigh-sale.ts'

export interface Answered {
  token: Address
  block: BlockFacts
  answers: SaleAnswers
  code: CodeFacts | null
  powers: readonly Power[] | null
  powersTried: PowersTried
  /** Transfers without an approval, as far as that was confirmed. */
  taken: readonly TakenTransfer[]
  logs: LogFacts | null
  differing: RpcCall | null
  calls: number
  /** Time or calls ran out before the last question. */
  isCut: boolean
}

export function judge(answered: Answered): SafetyReport {
  const { token, block, answers, code, powers, powersTried, taken, logs, differing, calls, isCut } = answered
  const weight = weighSale(answers)
  const sellCheck = toSellCheck(answers, weight, logs, block.number)
  const isChecked = sellCheck.status === 'checked'
  const findings = findAll({ answers, weight, isChecked, powers, taken, logs, differing })
  const { balances } = answers
  return {
    token,
    checkedAt: block.time,
    sellCheck: isCut && !isChecked ? { ...sellCheck, reason: 'out_of_time' } : sellCheck,
    powers,
    powersTried,
    code,
    balancesDiffer: balances.length === 0 ? null : { asked: balances.length, differ: balances.filter(isGone).length },
    logs,
    findings,
    floor: findings[0]?.strength ?? 0,
    complete: isChecked && powersTried === 'all' && balances.length > 0 && !isCut,
    calls,
  }
}
