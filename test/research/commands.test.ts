// `evaluate` and `calibrate` on small folders that the test writes, without a database or configuration.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createCalibrate } from '../../research/calibrate/command.ts'
import { runCommand, type Say } from '../../research/command.ts'
import { createEvaluate } from '../../research/evaluate/command.ts'
import { makeFolder } from '../support/folder.ts'
import { writeRugPolygon, writeSybil } from './labelled-folder.ts'

const COMMANDS = { evaluate: createEvaluate, calibrate: createCalibrate }

async function run(name: keyof typeof COMMANDS, ...args: string[]) {
  const printed: string[] = []
  const complaints: string[] = []
  const into =
    (lines: string[]): Say =>
    (line) =>
      void lines.push(line)
  const code = await runCommand(COMMANDS[name], args, into(printed), into(complaints))
  return { code, printed, complaints }
}

test('evaluate --json prints exactly one JSON object', async () => {
  const { code, printed } = await run('evaluate', writeSybil(), '--json')
  expect(code).toBe(0)
  expect(printed).toHaveLength(1)
  expect(JSON.parse(printed[0] ?? '')).toMatchObject({ kind: 'sybil', sybil: { precision: 1 } })
})

test('evaluate prints tables, and another seed draws other peers', async () => {
  const folder = writeRugPolygon()
  const first = await run('evaluate', folder)
  expect(first.printed.join('\n')).toMatch(
    /protocol +n +rugs +AUC[\s\S]*aligned[\s\S]*liquidity_pulled[\s\S]*wash_trading/,
  )
  expect((await run('evaluate', folder, '--seed', '2')).printed).not.toEqual(first.printed)
})

test('evaluate reports a folder without data in one sentence', async () => {
  const { code, printed, complaints } = await run('evaluate', makeFolder('empty'))
  expect([code, printed.length]).toEqual([1, 0])
  expect(complaints.join('\n')).toMatch(/labels\.csv and events\.csv\.gz/)
})

test('calibrate writes plain points and measures them on tokens held out', async () => {
  const out = join(makeFolder('model'), 'risk-model.json')
  const { code, printed } = await run('calibrate', writeRugPolygon(), '--out', out)
  expect(code).toBe(0)
  expect(printed.join('\n')).toMatch(/AUC on later tokens[\s\S]*By level: share that was pulled within 30 days/)
  const { others } = JSON.parse(readFileSync(out, 'utf8'))
  expect(Object.keys(others)).toEqual(['intercept', 'points'])
})

test('a wrong command line has exit code 2 and names the missing option', async () => {
  const { code, complaints } = await run('calibrate', writeRugPolygon())
  expect(code).toBe(2)
  expect(complaints.join('\n')).toContain("required option '--out <file>' not specified")
})
