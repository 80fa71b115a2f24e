// Finds the files of history in a folder by cryo's names: NETWORK__DATASET__FIRST_to_LAST.parquet, with a label before
// the numbers if cryo ran with `--label`. Output: the files of each dataset, and the blocks that all datasets cover.
import { type Dirent, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { itemAt } from '../../base/item-at.ts'
import { badFile } from './fault.ts'

const DATASETS = ['blocks', 'transactions', 'logs'] as const
export type Dataset = (typeof DATASETS)[number]

export interface BlockSpan {
  from: number
  to: number
}

/** A file and the blocks in its name, both included. */
export interface HistoryFile extends BlockSpan {
  path: string
}

export interface Folder {
  files: Readonly<Record<Dataset, readonly HistoryFile[]>>
  /** The blocks that every dataset has, in order, with a gap between any two. */
  spans: readonly BlockSpan[]
}

const NAME = /^.+__(blocks|transactions|logs)__(?:.+__)?(\d{1,15})_to_(\d{1,15})\.parquet$/
/** cryo's `--subdirs` makes one or two folders. */
const MOST_DEPTH = 4

/** Throws a `StartupError` if no block is in all datasets. */
export function readFolder(path: string): Folder {
  const files: Record<Dataset, HistoryFile[]> = { blocks: [], transactions: [], logs: [] }
  collect(path, files, 0)
  for (const dataset of DATASETS) {
    if (files[dataset].length === 0)
      throw badFile(path, `has no file NETWORK__${dataset}__FIRST_to_LAST.parquet, as cryo names them`)
    files[dataset].sort((a, b) => a.from - b.from || b.to - a.to)
  }
  const [blocks, transactions, logs] = DATASETS.map((dataset) => merge(files[dataset])) as [
    BlockSpan[],
    BlockSpan[],
    BlockSpan[],
  ]
  const spans = intersect(intersect(blocks, transactions), logs)
  if (spans.length === 0) throw badFile(path, 'no block is in files of blocks, of transactions and of logs')
  return { files, spans }
}

function collect(path: string, files: Record<Dataset, HistoryFile[]>, depth: number): void {
  for (const entry of list(path)) {
    const inside = join(path, entry.name)
    if (entry.isDirectory() && depth < MOST_DEPTH) collect(inside, files, depth + 1)
    const [, dataset, first, last] = (entry.isDirectory() ? null : NAME.exec(entry.name)) ?? []
    if (dataset === undefined) continue
    const file = { path: inside, from: Number(first), to: Number(last) }
    if (file.from > file.to) throw badFile(inside, 'its name says that its last block is before its first')
    files[dataset as Dataset].push(file)
  }
}

function list(path: string): Dirent[] {
  try {
    return readdirSync(path, { withFileTypes: true })
  } catch (error) {
    throw badFile(path, `cannot be read: ${(error as Error).message}`, error)
  }
}

/** Spans in the order of their first blocks. Spans that touch or overlap are joined. */
function merge(spans: readonly BlockSpan[]): BlockSpan[] {
  const merged: BlockSpan[] = []
  for (const { from, to } of spans) {
    const last = merged.at(-1)
    if (last && from <= last.to + 1) last.to = Math.max(last.to, to)
    else merged.push({ from, to })
  }
  return merged
}

function intersect(one: readonly BlockSpan[], other: readonly BlockSpan[]): BlockSpan[] {
  const both: BlockSpan[] = []
  for (let i = 0, j = 0; i < one.length && j < other.length; ) {
    const [a, b] = [itemAt(one, i), itemAt(other, j)]
    const span = { from: Math.max(a.from, b.from), to: Math.min(a.to, b.to) }
    if (span.from <= span.to) both.push(span)
    if (a.to < b.to) i += 1
    else j += 1
  }
  return both
}
