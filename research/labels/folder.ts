// Finds the kind of a folder by its files and their columns, never by its name.
import { StartupError } from '../../src/base/errors.ts'
import { pushTo } from '../../src/base/push-to.ts'
import { hasFile, readHeader } from './csv.ts'
import type { TokenHistory } from './history.ts'
import type { LeftOut } from './left-out.ts'
import { readRugEthereum } from './rug-ethereum.ts'
import { readRugPolygon } from './rug-polygon.ts'

export type FolderKind = 'rug-ethereum' | 'rug-polygon' | 'wallet-skill' | 'sybil'

/** Returns the kind of a folder. Throws an error that names the expected files if it is of no known kind. */
export function recogniseFolder(folder: string): FolderKind {
  if (hasFile(folder, 'labels.csv') && hasFile(folder, 'events.csv.gz')) {
    const head = readHeader(folder, 'labels.csv')
    if (head.includes('rug_block_by_rule')) return 'rug-ethereum'
    if (head.includes('rug_ts')) return 'rug-polygon'
    throw new StartupError(
      `${folder}/labels.csv does not say when tokens were rugged: it needs the column rug_block_by_rule or rug_ts, and has ${head}.`,
    )
  }
  if (hasFile(folder, 'swaps.csv.gz')) return 'wallet-skill'
  if (hasFile(folder, 'wallets.csv.gz') && hasFile(folder, 'edges_wallet_wallet.csv.gz')) return 'sybil'
  throw new StartupError(
    `${folder} cannot be evaluated: it needs labels.csv and events.csv.gz (tokens), swaps.csv.gz (wallets), or wallets.csv.gz and edges_wallet_wallet.csv.gz (sybils).`,
  )
}

/** Reads the tokens of a folder of one of the two kinds with tokens. Rows that cannot be used are counted in `leftOut`. */
export function readTokenFolder(folder: string, leftOut: LeftOut): TokenHistory[] {
  const kind = recogniseFolder(folder)
  if (kind === 'rug-ethereum') return joinSiblings(readRugEthereum(folder, leftOut))
  if (kind === 'rug-polygon') return joinSiblings(readRugPolygon(folder, leftOut))
  throw new StartupError(`${folder} has no labelled tokens.`)
}

function joinSiblings(histories: TokenHistory[]): TokenHistory[] {
  const families = new Map<string, TokenHistory[]>()
  for (const history of histories) pushTo(families, history.deployer, history)
  for (const history of histories) {
    history.siblings = (families.get(history.deployer) ?? []).filter((one) => one !== history)
  }
  return histories
}
