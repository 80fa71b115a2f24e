// A report of a contract check as the tests store it: of an honest token, unless something else is said.
import type { Address } from '../../src/base/address.ts'
import type { pg } from '../../src/database/client.ts'
import { inTransaction } from '../../src/database/transaction.ts'
import { saveReport } from '../../src/ledger/safety/save.ts'
import type { CodeFacts, Power, SafetyReport, SellCheck } from '../../src/safety/report.ts'

type Said = Omit<Partial<SafetyReport>, 'sellCheck'> & { block: number; at: number; sellCheck?: Partial<SellCheck> }

/** A report of a block and its time. */
export const createReport = ({ block, at, sellCheck, ...said }: Said): SafetyReport => ({
  token: `0x${'0'.repeat(40)}` as Address,
  checkedAt: at,
  sellCheck: {
    status: 'checked',
    sellable: true,
    buyable: true,
    buyTaxPct: 0,
    sellTaxPct: 0,
    measuredSellTaxPct: null,
    holdersTried: 8,
    holdersBlocked: 0,
    checkedBlock: block,
    method: 'override',
    reason: null,
    refusal: '',
    call: null,
    ...sellCheck,
  },
  powers: [],
  powersTried: 'all',
  powersRead: ['the token: 9 functions'],
  code: null,
  balancesDiffer: null,
  multiplier: null,
  logs: null,
  findings: [],
  floor: 0,
  complete: true,
  calls: 9,
  ...said,
})

/** A power of one account. */
export const createPower = (kind: Power['kind'], holder: string): Power => ({
  kind,
  function: 'f()',
  contract: holder as Address,
  holder: holder as Address,
  holderKind: 'account',
  renounced: false,
  delaySeconds: 0,
  hidden: false,
  proven: true,
  call: null,
})

/** Code with an owner. */
export const createCode = (owner: string): CodeFacts => ({
  hash: `0x${'1'.repeat(64)}`,
  proxy: null,
  implementation: null,
  implementationHash: `0x${'1'.repeat(64)}`,
  owner: owner as Address,
  admin: null,
  verifiedClone: false,
  selectors: [],
  unread: null,
  native: null,
})

/** Stores a report as the newest one of a token's contract. */
export const storeReport = async (pool: pg.Pool, tokenId: number, report: SafetyReport): Promise<void> => {
  await inTransaction(pool, (client) =>
    saveReport(client, tokenId, report, { number: report.sellCheck.checkedBlock ?? 0, time: report.checkedAt ?? 0 }),
  )
}
