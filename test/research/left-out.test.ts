// Untidy data folders: unusable rows are left out and reported, missing files are named, and the rest is evaluated as
// usual.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { type Evaluation, evaluateFolder } from '../../research/evaluate/evaluate.ts'
import { tabulate } from '../../research/evaluate/report.ts'
import { makeFolder } from '../support/folder.ts'
import { writeRugEthereum, writeRugPolygon, writeSybil, writeWalletSkill } from './labelled-folder.ts'

type Change = (lines: string[], file: string) => string | Buffer

/** Copies a folder and changes the lines of every file. */
function copyFolder(folder: string, change: Change): string {
  const copy = makeFolder('untidy')
  for (const file of readdirSync(folder)) {
    const bytes = readFileSync(join(folder, file))
    const text = (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString()
    const changed = change(text.trimEnd().split('\n'), file)
    const packed = typeof changed === 'string' && file.endsWith('.gz') ? gzipSync(changed) : changed
    writeFileSync(join(copy, file), packed)
  }
  return copy
}

const joinLines = (lines: readonly string[]) => lines.join('\n')
const judged = ({ leftOut: _, ...rest }: Evaluation) => rest
const rowsOf = ({ leftOut }: Evaluation) => leftOut.map(({ file, reason, rows }) => [file, reason, rows])

const WRITERS = { writeRugEthereum, writeRugPolygon, writeWalletSkill, writeSybil }

test.each(Object.entries(WRITERS))(
  '%s: Windows line ends, a byte order mark and empty lines change nothing',
  (_, write) => {
    const folder = write()
    const untidy = copyFolder(folder, (lines) => `\ufeff${lines.join('\r\n')}\r\n\r\n`)
    expect(evaluateFolder(untidy, 1)).toEqual(evaluateFolder(folder, 1))
  },
)

test('duplicate rows count once where rows can be told apart, and are reported', () => {
  const folder = writeRugEthereum()
  const twice = evaluateFolder(
    copyFolder(folder, (lines) => joinLines([...lines, ...lines.slice(1)])),
    1,
  )
  expect(judged(twice)).toEqual(judged(evaluateFolder(folder, 1)))
  expect(rowsOf(twice)).toEqual([
    ['events.csv.gz', 'the same row again', expect.any(Number)],
    ['labels.csv', 'the same token again', 12],
  ])
})

test('rows with an unknown kind, a bad number or a bad label are left out and reported in the first table', () => {
  const odd = (lines: string[], file: string) => {
    const [first = ''] = lines.slice(1)
    if (file === 'labels.csv') return joinLines([...lines, first.replace(/^0,([^,]*,[^,]*,[^,]*),0/, '99,$1,2')])
    return joinLines([
      ...lines,
      first.replace('liquidity_add', 'teleport'),
      first.replace(/,10,/, ',ten,'),
      '3,swap,buy',
    ])
  }
  const folder = writeRugEthereum()
  const evaluation = evaluateFolder(copyFolder(folder, odd), 1)
  expect(judged(evaluation)).toEqual(judged(evaluateFolder(folder, 1)))
  expect(rowsOf(evaluation)).toEqual([
    ['events.csv.gz', 'a cell is not a number', 2],
    ['events.csv.gz', 'the kind of event is not known', 1],
    ['labels.csv', 'the label is neither 0 nor 1', 1],
  ])
  expect(tabulate(evaluation)[0]).toMatchObject({ title: 'Rows left out', rows: { length: 3 } })
})

test('transfers of the token are accepted as rows, though no score reads them', () => {
  const transfer = `0,transfer,,,,0,0,10,0,1630000000,815000000`
  const more = copyFolder(writeRugPolygon(), (lines, file) =>
    joinLines(file.startsWith('events') ? [...lines, transfer] : lines),
  )
  expect(evaluateFolder(more, 1).leftOut).toEqual([])
})

test('a folder with one token, no rug, or only rugs gives unknown ratios, not an error', () => {
  const keep = (labels: (line: string) => boolean) =>
    copyFolder(writeRugEthereum(), (lines, file) =>
      joinLines(file === 'labels.csv' ? [lines[0] ?? '', ...lines.slice(1).filter(labels)] : lines),
    )
  for (const folder of [
    keep((line) => line.startsWith('0,')),
    keep((line) => line.split(',')[4] === '0'),
    keep((line) => line.split(',')[4] === '1'),
    keep(() => false),
  ]) {
    const evaluation = evaluateFolder(folder, 1)
    if (evaluation.kind !== 'rug-ethereum') throw new Error(evaluation.kind)
    for (const { auc, interval } of evaluation.tokens.protocols) expect([auc, interval]).toEqual([null, null])
    for (const { heads, rows } of tabulate(evaluation)) for (const row of rows) expect(row).toHaveLength(heads.length)
  }
})

test('a missing column, a missing label and a truncated file are reported by name', () => {
  const folder = writeRugEthereum()
  const without = (column: string, of: string) =>
    copyFolder(folder, (lines, file) => {
      const at = lines[0]?.split(',').indexOf(column) ?? -1
      return joinLines(file === of ? lines.map((line) => line.split(',').toSpliced(at, 1).join()) : lines)
    })
  const half = copyFolder(folder, (lines, file) => {
    const bytes = gzipSync(joinLines(lines))
    return file.endsWith('.gz') ? bytes.subarray(0, bytes.length / 2) : joinLines(lines)
  })
  expect(() => evaluateFolder(without('reserve_weth_after', 'events.csv.gz'), 1)).toThrow(
    /^events\.csv\.gz has no column reserve_weth_after; it has token_id,/,
  )
  expect(() => evaluateFolder(without('label', 'labels.csv'), 1)).toThrow(/^labels\.csv has no column label;/)
  expect(() => evaluateFolder(without('rug_block_by_rule', 'labels.csv'), 1)).toThrow(
    /needs the column rug_block_by_rule or rug_ts/,
  )
  expect(() => evaluateFolder(half, 1)).toThrow(/events\.csv\.gz is no complete gzip file/)
})
