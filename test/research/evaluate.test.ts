import { expect, test } from 'vitest'
import { calibrate } from '../../research/calibrate/calibrate.ts'
import { tabulateExam } from '../../research/calibrate/exam-report.ts'
import { type Evaluation, evaluateFolder } from '../../research/evaluate/evaluate.ts'
import { tabulate } from '../../research/evaluate/report.ts'
import type { RugReport } from '../../research/evaluate/rug-report.ts'
import { readTraps } from '../../research/labels/traps.ts'
import { makeFolder } from '../support/folder.ts'
import { writeRugEthereum, writeRugPolygon, writeSybil, writeTraps, writeWalletSkill } from './labelled-folder.ts'

type Of<Kind extends Evaluation['kind']> = Extract<Evaluation, { kind: Kind }>

const evaluate = <Kind extends Evaluation['kind']>(kind: Kind, folder: string, seed = 1): Of<Kind> => {
  const evaluation = evaluateFolder(folder, seed)
  expect(evaluation.kind).toBe(kind)
  return evaluation as Of<Kind>
}

const areaOf = ({ protocols }: RugReport, protocol: string) =>
  protocols.find((one) => one.protocol === protocol)?.auc ?? Number.NaN

test('a data folder is recognised by its files, and another folder gets an error that lists them', () => {
  expect(() => evaluateFolder(makeFolder('empty'), 1)).toThrow(/labels\.csv.*swaps\.csv\.gz/)
})

test('the evaluation separates the tokens of a small folder, and rugs are flagged once they happened', () => {
  for (const tokens of [
    evaluate('rug-polygon', writeRugPolygon()).tokens,
    evaluate('rug-ethereum', writeRugEthereum()).tokens,
  ]) {
    expect(areaOf(tokens, '24h')).toBeGreaterThan(0.85)
    expect(areaOf(tokens, 'aligned')).toBeGreaterThan(0.9)
    expect(tokens.liquidityPulled).toMatchObject({ precision: 1, recall: 1 })
  }
})

test('the evaluation gives the same report for the same folder and seed, and the report is plain JSON', () => {
  const folder = writeRugPolygon()
  const report = evaluateFolder(folder, 4)
  expect(evaluateFolder(folder, 4)).toEqual(report)
  expect(JSON.parse(JSON.stringify(report))).toEqual(report)
  for (const { heads, rows } of tabulate(report)) for (const row of rows) expect(row).toHaveLength(heads.length)
})

test('the evaluation finds wash trades injected among the swaps', () => {
  const { injected, untouchedFlagged } = evaluate('rug-polygon', writeRugPolygon()).washTrading
  expect(untouchedFlagged).toBe(0)
  for (const one of injected.filter((it) => it.volumeShare >= 0.05)) expect(one.recall).toBeGreaterThanOrEqual(0.75)
})

test('wallets in the upper quintiles of reputation make profits later', () => {
  const { wallets } = evaluate('wallet-skill', writeWalletSkill())
  expect(wallets.auc).toBe(1)
  expect(wallets.quintiles.map((one) => one.profitableShare)).toEqual([0, 0, 0.5, 1, 1])
})

test('a chain of wallets and wallets with a common target are clusters, and strangers are none', () => {
  const { sybil } = evaluate('sybil', writeSybil())
  expect(sybil).toMatchObject({ clusters: 2, flagged: 17, precision: 1, recall: 1 })
  const { parts } = sybil.leftOut
  expect(parts.map(({ wallets }) => wallets).reduce((sum, count) => sum + count)).toBe(sybil.wallets)
})

test('wallets of one payer are judged by their number, and payers of fewer wallets flag nobody', () => {
  const { funded } = evaluate('sybil', writeSybil())
  expect(funded.map(({ least, flagged }) => [least, flagged])).toEqual([
    [2, 5],
    [3, 3],
    [4, 0],
  ])
  expect(funded[0]).toMatchObject({ precision: 0.6 })
  expect(funded[1]).toMatchObject({ precision: 1, recall: 3 / 17 })
})

test('calibration gives the same models and exam for the same folders and seed', () => {
  const folders = [writeRugPolygon(), writeRugEthereum()]
  const first = calibrate(folders, 2)
  expect(calibrate(folders, 2)).toEqual(first)
  expect(Object.keys(first.models.chains)).toEqual(['1', '137'])
  const areas = first.exam.rows.flatMap(({ pooled, mixed, capability, score }) => [pooled, mixed, capability, score])
  expect(areas.every((area) => area === null || (area >= 0 && area <= 1))).toBe(true)
  expect(areas.filter((area) => area !== null).length).toBeGreaterThan(0)
  for (const { chances } of first.exam.reliability)
    expect(chances.map(({ belowPct }) => belowPct)).toEqual([10, 30, 50, 65, 100])
})

test('labels of traps add a second outcome of the same later tokens, and change no model', () => {
  const folder = writeRugPolygon()
  const plain = calibrate([folder], 2)
  const judged = calibrate([folder], 2, readTraps(writeTraps(folder)))
  expect(plain.exam.outcomes).toEqual([])
  expect(judged.models).toEqual(plain.models)
  const [traps, pulled] = ['trap', 'pulled'].map((name) =>
    judged.exam.outcomes.filter(({ outcome }) => outcome === name),
  )
  expect(traps?.length).toBeGreaterThan(0)
  expect(pulled?.map(({ protocol, n }) => [protocol, n])).toEqual(traps?.map(({ protocol, n }) => [protocol, n]))
  const rows = judged.exam.rows.filter(({ protocol }) => !protocol.startsWith('aligned'))
  expect(pulled?.map(({ score }) => score)).toEqual(rows.filter(({ n }) => n > 0).map(({ score }) => score))
  for (const { heads, rows: lines } of tabulateExam(judged.exam))
    for (const line of lines) expect(line).toHaveLength(heads.length)
})
