// A folder -> one report: what kind of data it is decides what is judged. The scores come from the functions that serve
// production; nothing here knows a formula of theirs.
import { readTokenFolder, recogniseFolder } from './folder.ts'
import { evaluateRugs, type RugReport } from './rug-report.ts'
import { evaluateSybil, type SybilReport } from './sybil-report.ts'
import { readWalletTrades } from './wallet-history.ts'
import { evaluateWallets, type WalletReport } from './wallet-report.ts'
import { evaluateWash, type WashReport } from './wash-report.ts'

export type Evaluation = { seed: number } & (
  | { kind: 'rug-ethereum'; tokens: RugReport }
  | { kind: 'rug-polygon'; tokens: RugReport; washTrading: WashReport }
  | { kind: 'wallet-skill'; wallets: WalletReport }
  | { kind: 'sybil'; sybil: SybilReport }
)

/** The report on a folder; the same for the same files and seed. */
export function evaluateFolder(folder: string, seed: number): Evaluation {
  const kind = recogniseFolder(folder)
  if (kind === 'sybil') return { seed, kind, sybil: evaluateSybil(folder) }
  if (kind === 'wallet-skill') return { seed, kind, wallets: evaluateWallets(readWalletTrades(folder), seed) }
  const histories = readTokenFolder(folder)
  const tokens = evaluateRugs(histories, seed)
  return kind === 'rug-ethereum'
    ? { seed, kind, tokens }
    : { seed, kind, tokens, washTrading: evaluateWash(histories, seed) }
}
