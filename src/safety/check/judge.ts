// The judgement. Input: all answers, and the facts of logs. Output: the report. Pure: the same answers give the same
// report.
import { type Address, ZERO_ADDRESS } from '../../base/address.ts'
import { TRANSFER_TOPIC } from '../../chain/contracts/topics.ts'
import { abiWord } from '../../chain/contracts/words.ts'
import type { LogFacts } from '../log-facts.ts'
import type { BlockFacts } from '../node/reply.ts'
import { toldPowers } from '../pack.ts'
import type { CodeFacts, Power, PowersTried, RpcCall, SafetyReport } from '../report.ts'
import { isGone, isMoved } from '../sale/balances.ts'
import type { SaleAnswers } from '../sale/sale.ts'
import { findAll } from './find.ts'
import type { TakenTransfer } from './find-robbed.ts'
import type { RealTaxes } from './measure-taxes.ts'
import { toSellCheck, weighSale } from './weigh-sale.ts'

export interface Answered {
  token: Address
  block: BlockFacts
  answers: SaleAnswers
  code: CodeFacts | null
  powers: readonly Power[] | null
  powersTried: PowersTried
  powersRead: readonly string[]
  /** Transfers without consent, as far as that was confirmed. */
  taken: readonly TakenTransfer[]
  logs: LogFacts | null
  taxes: RealTaxes
  differing: RpcCall | null
  calls: number
  /** Time or calls ran out before the last question. */
  isCut: boolean
}

/** Transfers of nobody are mints. */
const mintsCall = (token: Address, { launchedBlock }: LogFacts, { tag }: BlockFacts): RpcCall => ({
  method: 'eth_getLogs',
  params: [
    {
      address: token,
      topics: [TRANSFER_TOPIC, `0x${abiWord(ZERO_ADDRESS)}`],
      fromBlock: `0x${launchedBlock.toString(16)}`,
      toBlock: tag,
    },
  ],
})

export function judge(answered: Answered): SafetyReport {
  const { token, block, answers, code, powersTried, taken, logs, taxes, differing, calls, isCut } = answered
  const { powers, powersRead } = toldPowers(answered.powers, answered.powersRead)
  const weight = weighSale(answers)
  const sellCheck = toSellCheck(answers, weight, taxes, block.number)
  const isChecked = sellCheck.status === 'checked'
  const mints = logs && mintsCall(token, logs, block)
  const findings = findAll({ answers, weight, isChecked, powers, taken, logs, taxes, differing, mints })
  const { balances, multiplier } = answers
  return {
    token,
    checkedAt: block.time,
    sellCheck: isCut && !isChecked ? { ...sellCheck, reason: 'out_of_time' } : sellCheck,
    powers,
    powersTried,
    powersRead,
    code,
    balancesDiffer:
      balances.length === 0
        ? null
        : {
            asked: balances.length,
            differ: balances.filter(isGone).length,
            moved: balances.filter(isMoved).length,
          },
    multiplier,
    logs,
    findings,
    floor: findings[0]?.strength ?? 0,
    complete: isChecked && powersTried === 'all' && powers !== null && balances.length > 0 && !isCut,
    calls,
  }
}
