// A folder -> one report: what kind of data it is decides what is judged. The scores come from the functions that serve
// production; nothing here knows a formula of theirs.
import { readTokenFolder, recogniseFolder } from './folder.ts'
import { createLeftOut, type LeftOut, type LeftOutRows } from './left-out.ts'
import { evaluateRugs, type RugReport } from './rug-report.ts'
import { evaluateSybil, type SybilReport } from './sybil-report.ts'
import { readWalletTrades } from './wallet-history.ts'
import { evaluateWallets, type WalletReport } from './wallet-report.ts'
import { evaluateWash, type WashReport } from './wash-report.ts'

export type Evaluation = { seed: number; leftOut: LeftOutRows[] } & (
  | { kind: 'rug-ethereum'; tokens: RugReport }
  | { kind: 'rug-polygon'; tokens: RugReport; washTrading: WashReport }
  | { kind: 'wallet-skill'; wallets: WalletReport }
  | { kind: 'sybil'; sybil: SybilReport }
)

/** The report on a folder; the same for the same files and seed. */
export function evaluateFolder(folder: string, seed: number): Evaluation {
  const leftOut = createLeftOut()
  const judged = judgeFolder(folder, seed, leftOut)
  return { seed, leftOut: leftOut.list(), ...judged }
}

function judgeFolder(folder: string, seed: number, leftOut: LeftOut) {
  const kind = recogniseFolder(folder)
  if (kind === 'sybil') return { kind, sybil: evaluateSybil(folder, leftOut) }
  if (kind === 'wallet-skill') return { kind, wallets: evaluateWallets(readWalletTrades(folder, leftOut), seed) }
  const histories = readTokenFolder(folder, leftOut)
  const tokens = evaluateRugs(histories, seed)
  return kind === 'rug-ethereum' ? { kind, tokens } : { kind, tokens, washTrading: evaluateWash(histories, seed) }
}
