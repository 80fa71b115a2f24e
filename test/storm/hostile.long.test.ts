// The hostile storm in short: the sources instead of the build, a few attacks, and no limit on latency, because test
// machines are busy. `npm run storm -- hostile` runs it in full.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDemoDatabase } from '../support/demo.ts'
import { ATTACKS } from './hostile/all.ts'
import { type Stage, setStage } from './hostile/stage.ts'
import { type Row, runStorm } from './hostile/storm.ts'
import { SHORT } from './hostile/terms.ts'

const attacks = ATTACKS.filter(({ short }) => short)
const rows = new Map<string, Row>()
let stage: Stage | undefined

beforeAll(async () => {
  stage = await setStage({ isBuilt: false, demo: await createDemoDatabase() })
  await runStorm(stage, attacks, SHORT, (row) => rows.set(row.name, row))
})
afterAll(async () => {
  await stage?.close()
})

test.each(attacks.map(({ name }) => name))(
  'the server survives, serves honest requests, refuses correctly and frees its memory under: %s',
  (name) => {
    const { honest, faults } = rows.get(name) as Row
    expect(faults).toEqual([])
    expect(honest.count).toBeGreaterThan(0)
  },
)
