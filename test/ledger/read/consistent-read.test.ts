import { afterAll, describe, expect, it } from 'vitest'
import { systemClock } from '../../../src/base/clock.ts'
import { createHead } from '../../../src/ledger/head.ts'
import { createReader } from '../../../src/ledger/read/consistent-read.ts'
import { createTestDatabase } from '../../support/database.ts'
import { HEAD_NUMBER, seedLedger } from '../../support/seed.ts'

const database = await createTestDatabase()
await seedLedger(database.pool)
const watch = await createHead(database, systemClock)
afterAll(() => watch.stop())
const readAtOneBlock = createReader({ primary: database, watch, prepare: (reading) => reading })

/** Adds a block that renames token 1. Nobody is notified, as if the notification were still on its way. */
async function addBlock() {
  await database.pool.query(`WITH b AS (
      INSERT INTO block SELECT (jsonb_populate_record(b, jsonb_build_object('number', number + 1, 'hash', md5(number::text)))).*
      FROM block b ORDER BY number DESC LIMIT 1 RETURNING number)
    UPDATE token SET name = 'at ' || b.number FROM b WHERE token.id = 1`)
}
const name = 'SELECT name FROM token WHERE id = 1'
const empty = 'SELECT name FROM token WHERE id = -1'

describe('an answer', () => {
  it('an answer is made again if a block arrived between two of its statements, and names the block that it reflects', async () => {
    let runs = 0
    const answer = await readAtOneBlock(async (reading) => {
      const [before] = await reading.query<{ name: string }>({ name: 'a', text: name })
      if (runs++ === 0) await addBlock()
      const [after] = await reading.query<{ name: string }>({ name: 'a', text: name })
      return { block: reading.head.number, before: before?.name, after: after?.name }
    })
    const newest = `at ${HEAD_NUMBER + 1}`
    expect(answer).toEqual({ block: HEAD_NUMBER + 1, before: newest, after: newest })
    expect(runs).toBe(2)
  })

  it('an answer is of one block even if a new block arrives during every attempt', async () => {
    let runs = 0
    const answer = await readAtOneBlock(async (reading) => {
      runs += 1
      const [before] = await reading.query<{ name: string }>({ name: 'a', text: name })
      await addBlock()
      const [[after]] = await Promise.all([
        reading.query<{ name: string }>({ name: 'a', text: name }),
        reading.query({ name: 'b', text: empty }),
      ])
      return { block: reading.head.number, before: before?.name, after: after?.name }
    })
    expect(answer.before).toBe(`at ${answer.block}`)
    expect(answer.after).toBe(`at ${answer.block}`)
    expect(runs).toBe(3)
  })

  it('an answer is made in further snapshots while the board has left the block of each', async () => {
    let runs = 0
    const answer = await readAtOneBlock(async (reading) => {
      runs += 1
      await addBlock()
      if (runs === 9) return reading.head.number
      reading.outdate()
      // A resolver's error is a part of the answer; elsewhere it is thrown.
      if (runs % 2 === 0) throw new Error('the board has moved on')
      return null
    })
    expect(runs).toBe(9)
    expect(answer).toBeGreaterThan(HEAD_NUMBER)
  })

  it('an answer fails with the cause when the board has left the block of every snapshot', async () => {
    let runs = 0
    const answer = readAtOneBlock(async (reading) => {
      runs += 1
      reading.outdate()
      throw new Error('the board has moved on')
    })
    await expect(answer).rejects.toThrow('the board has moved on')
    expect(runs).toBeLessThan(100)
  })

  it('an answer sends nothing more on the connection of its snapshot once a part of it has failed', async () => {
    const slow = { text: 'SELECT pg_sleep(0.05)' } as const
    let runs = 0
    let left: Promise<unknown>[] = []
    const answer = readAtOneBlock(async (reading) => {
      runs += 1
      await reading.query({ name: 'a', text: name })
      await addBlock()
      if (runs < 3) return reading.query({ name: 'a', text: name })
      left = [reading.query(slow), reading.query(slow), reading.query(slow)]
      throw new Error('a part failed')
    })
    await expect(answer).rejects.toThrow('a part failed')
    expect((await Promise.allSettled(left)).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected'])
  })

  it('an answer is made again if the only statement that saw another block found no rows', async () => {
    await watch.refresh()
    let runs = 0
    const block = await readAtOneBlock(async (reading) => {
      if (runs++ === 0) await addBlock()
      await reading.query({ name: 'b', text: empty })
      return reading.head.number
    })
    expect([runs, block]).toEqual([2, watch.current().number])
  })

  it('answers that begin in the same turn of the event loop share a reading, and later ones do not', async () => {
    const make = () =>
      readAtOneBlock(async (reading) => {
        await reading.query({ name: 'a', text: name })
        return reading
      })
    const [first, second] = await Promise.all([make(), make()])
    expect(first === second).toBe(true)
    expect((await make()) === first).toBe(false)
  })

  it('an answer is made again if another one that shares its reading has read a newer block', async () => {
    await watch.refresh()
    const runs = { first: 0, second: 0 }
    let tell = () => {}
    const otherHasRead = new Promise<void>((resolve) => {
      tell = resolve
    })
    const blocks = await Promise.all([
      readAtOneBlock(async (reading) => {
        runs.first += 1
        if (runs.first === 1) await addBlock()
        await reading.query({ name: 'a', text: name })
        tell()
        return reading.head.number
      }),
      readAtOneBlock(async (reading) => {
        runs.second += 1
        await reading.query({ name: 'a', text: name })
        await otherHasRead
        return reading.head.number
      }),
    ])
    expect(runs).toEqual({ first: 2, second: 2 })
    expect(blocks).toEqual([watch.current().number, watch.current().number])
  })
})
