// A new row of each table. Every row begins as one of these, including rows read from a table.
import { rowMaker } from '../../database/fields.ts'
import {
  type CandleRecord,
  candleFields,
  type OwedCost,
  type PoolDayRecord,
  type PoolRecord,
  type PositionRecord,
  type PositionTokenRecord,
  poolDayFields,
  poolFields,
  positionFields,
  positionTokenFields,
  type StakeRecord,
  stakeFields,
  type TokenLockRecord,
  type TokenRecord,
  tokenFields,
  tokenLockFields,
  type WalletRecord,
  type WalletWeekRecord,
  walletFields,
  walletWeekFields,
} from './rows.ts'

export const newToken: () => TokenRecord = rowMaker(tokenFields)
export const newPool: () => PoolRecord = rowMaker(poolFields)
export const newWallet: () => WalletRecord = rowMaker(walletFields)
export const newPosition: () => PositionRecord = rowMaker(positionFields)
export const newCandle: () => CandleRecord = rowMaker(candleFields('hour'))
export const newPoolDay: () => PoolDayRecord = rowMaker(poolDayFields)
export const newWalletWeek: () => WalletWeekRecord = rowMaker(walletWeekFields)
export const newTokenLock: () => TokenLockRecord = rowMaker(tokenLockFields)
export const newPositionToken: () => PositionTokenRecord = rowMaker(positionTokenFields)
export const newStake: () => StakeRecord = rowMaker(stakeFields)
export const NO_COST: OwedCost = { quantity: 0, usd: 0 }
