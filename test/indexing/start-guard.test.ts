import { expect, test } from 'vitest'
import { BelowFinalityError } from '../../src/chain/follow/reorg.ts'
import { RpcError, type RpcErrorKind } from '../../src/chain/rpc/error.ts'
import { createWaits } from '../../src/indexing/provider-waits.ts'
import { createStartGuard } from '../../src/indexing/start-guard.ts'
import { createTestClock } from '../support/clock.ts'

/** Judges the same fault every two seconds, until it ends the start. Returns the seconds, or null. */
function secondsUntilEnd(error: RpcError, hasRun = false) {
  const clock = createTestClock()
  const guard = createStartGuard(clock)
  if (hasRun) guard.pass()
  for (let seconds = 0; seconds <= 600; seconds += 2) {
    const end = guard.judge(error)
    if (end) return { seconds, end }
    clock.advance(2_000)
  }
  return null
}

test.each(['pruned', 'unsupported', 'rejected', 'range', 'size'] satisfies RpcErrorKind[])(
  'a start ends with exit code 78 when a block stays refused (%s): the sentence has the block and the three ways out',
  (kind) => {
    const found = secondsUntilEnd(new RpcError(kind, 'node: gone', {}, 4711))
    expect(found).toMatchObject({ seconds: 6, end: { exitCode: 78 } })
    expect(found?.end.message).toMatch(
      /^RPC_URL does not give block 4711: node: gone\. Add a provider .* HISTORY_FILES .* later START\.$/,
    )
  },
)

test('a start ends with exit code 78 when a final block stays gone, and names the command', () => {
  const link = { number: 9, hash: `0x${'1'.repeat(64)}`, parentHash: `0x${'2'.repeat(64)}` } as const
  expect(secondsUntilEnd(new BelowFinalityError(link, 0))?.end).toMatchObject({
    exitCode: 78,
    message: expect.stringContaining('run "assay reindex --from 0"'),
  })
})

test.each(['transient', 'rate', 'auth', 'foreign', 'lagging'] satisfies RpcErrorKind[])(
  'a start waits for what passes: %s',
  (kind) => expect(secondsUntilEnd(new RpcError(kind, 'node: later', {}, 1))).toBeNull(),
)

test('a running index waits for everything', () => {
  expect(secondsUntilEnd(new RpcError('pruned', 'node: gone', {}, 1), true)).toBeNull()
})

test('a contradiction of one block that stays the same is a broken rule, and a changing one is none', () => {
  const clock = createTestClock()
  const waits = createWaits(clock)
  const after = (text: string, block: number | null) => {
    clock.advance(8_000)
    return waits.after(new RpcError('lagging', text, {}, block))
  }
  expect([1, 2, 3, 4, 5].map(() => after('two logs at index 0', 7))).toEqual([
    ...['contradiction', 'contradiction', 'contradiction', 'rule_broken', 'rule_broken'],
  ])
  waits.end()
  for (let at = 0; at < 9; at++) expect(after(`another ${at}`, 7)).toBe('contradiction')
  for (let at = 0; at < 9; at++) expect(after('null', null)).toBe('contradiction')
})
