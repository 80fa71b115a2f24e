// Labels of tokens that a buyer could not sell. They say something else than the label of a rug: whether somebody could
// sell, beside whether the liquidity was pulled. No model is fitted to them.
import { basename } from 'node:path'
import { readCells } from './csv.ts'
import { createLeftOut } from './left-out.ts'

/** Whether a labelled token was such a trap, by `keyOfTrap`. */
export type Traps = ReadonlyMap<string, boolean>

/** The key of a token: the name of its folder, and its id there. */
export const keyOfTrap = (folder: string, tokenId: string): string => `${basename(folder)} ${tokenId}`

/** Reads labels.csv of a folder: the folder's name, the token's id, and 1 for a trap or 0. */
export function readTraps(folder: string): Traps {
  const rows = readCells(folder, 'labels.csv', ['folder', 'token_id', 'trapdoor#'] as const, createLeftOut())
  return new Map(rows.map(([source, id, trap]) => [keyOfTrap(source, id), Number(trap) === 1]))
}
