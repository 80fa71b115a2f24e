// Evaluates scores on a folder of labelled data. The kind of data selects the evaluation. The scores are computed by
// the same functions as in production.
import { readTokenFolder, recogniseFolder } from '../labels/folder.ts'
import { createLeftOut, type LeftOut, type LeftOutRows } from '../labels/left-out.ts'
import { readWalletTrades } from '../labels/wallet-history.ts'
import { evaluateFunded, type FundedVerdict } from './funded-report.ts'
import { evaluateRugs, type RugReport } from './rug-report.ts'
import { evaluateSybil, type SybilReport } from './sybil-report.ts'
import { evaluateWallets, type WalletReport } from './wallet-report.ts'
import { evaluateWash, type WashReport } from './wash-report.ts'

export type Evaluation = { seed: number; leftOut: LeftOutRows[] } & (
  | { kind: 'rug-ethereum'; tokens: RugReport }
  | { kind: 'rug-polygon'; tokens: RugReport; washTrading: WashReport }
  | { kind: 'wallet-skill'; wallets: WalletReport }
  | { kind: 'sybil'; sybil: SybilReport; funded: FundedVerdict[] }
)

/** Makes the report on a folder. It is the same for the same files and seed. */
export function evaluateFolder(folder: string, seed: number): Evaluation {
  const leftOut = createLeftOut()
  const judged = judgeFolder(folder, seed, leftOut)
  return { seed, leftOut: leftOut.list(), ...judged }
}

function judgeFolder(folder: string, seed: number, leftOut: LeftOut) {
  const kind = recogniseFolder(folder)
  if (kind === 'sybil')
    return { kind, sybil: evaluateSybil(folder, seed, leftOut), funded: evaluateFunded(folder, createLeftOut()) }
  if (kind === 'wallet-skill') return { kind, wallets: evaluateWallets(readWalletTrades(folder, leftOut), seed) }
  const histories = readTokenFolder(folder, leftOut)
  const tokens = evaluateRugs(histories, seed)
  return kind === 'rug-ethereum' ? { kind, tokens } : { kind, tokens, washTrading: evaluateWash(histories, seed) }
}
