// A new row of each table. Every row begins as one of these, including rows read from a table.
import { rowFactory } from '../../database/fields.ts'
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
  type WalletDayRecord,
  type WalletRecord,
  type WalletWeekRecord,
  walletDayFields,
  walletFields,
  walletWeekFields,
} from './rows.ts'

export const newToken: () => TokenRecord = rowFactory(tokenFields)
export const newPool: () => PoolRecord = rowFactory(poolFields)
export const newWallet: () => WalletRecord = rowFactory(walletFields)
export const newPosition: () => PositionRecord = rowFactory(positionFields)
export const newCandle: () => CandleRecord = rowFactory(candleFields('hour'))
export const newPoolDay: () => PoolDayRecord = rowFactory(poolDayFields)
export const newWalletWeek: () => WalletWeekRecord = rowFactory(walletWeekFields)
export const newWalletDay: () => WalletDayRecord = rowFactory(walletDayFields)
export const newTokenLock: () => TokenLockRecord = rowFactory(tokenLockFields)
export const newPositionToken: () => PositionTokenRecord = rowFactory(positionTokenFields)
export const newStake: () => StakeRecord = rowFactory(stakeFields)
export const NO_COST: OwedCost = { quantity: 0, usd: 0 }
