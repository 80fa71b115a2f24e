// Who acted in a transaction that an entry point of ERC-4337 tells operations of.
import { expect, test } from 'vitest'
import { actsOf } from '../../../src/book/logs/acts.ts'
import type { DecodedLog, Transaction } from '../../../src/chain/event.ts'
import { addressOf, wallet } from '../../support/blocks.ts'

const [bundler, alice, bob] = [wallet(1), wallet(2), wallet(3)]
const [token, entryPoint, helper] = [addressOf('token', 1), addressOf('entry', 1), addressOf('helper', 1)]
const hash = `0x${'1'.repeat(64)}` as const

const sentTo = (to: typeof helper): Transaction => ({ hash, index: 0, from: bundler, to, value: 0n, plain: false })
const give = (logIndex: number, from: typeof alice): DecodedLog => ({
  ...({ kind: 'transfer', address: token, logIndex, txHash: hash } as const),
  ...{ from, to: helper, amount: 1n },
})
const operation = (logIndex: number, sender: typeof alice): DecodedLog => ({
  ...{ kind: 'user_operation', address: entryPoint, logIndex, txHash: hash, sender },
})
const logs = [give(0, alice), operation(1, alice), give(2, bob), operation(3, bob), give(4, bundler)]
const tell = (to: typeof helper) =>
  actsOf(sentTo(to), logs, false).map((act) => [act.transaction.from, act.logs.map(({ logIndex }) => logIndex)])

test('each operation of a called entry point is an act of its sender, and what follows is one of the signer', () => {
  expect(tell(entryPoint)).toEqual([
    [alice, [0, 1]],
    [bob, [2, 3]],
    [bundler, [4]],
  ])
})

test('what several operations logged at their validation is the bundler’s act, and that of a single one is its sender’s', () => {
  const begin = (logIndex: number): DecodedLog => ({
    ...{ kind: 'operations_begin', address: entryPoint, logIndex, txHash: hash },
  })
  const acts = (list: readonly DecodedLog[]) =>
    actsOf(sentTo(entryPoint), list, false).map((act) => [
      act.transaction.from,
      act.claimant,
      act.logs.map(({ logIndex }) => logIndex),
    ])
  const bundle = [give(0, bob), begin(1), give(2, alice), operation(3, alice), give(4, bob), operation(5, bob)]
  expect(acts(bundle)).toEqual([
    [bundler, null, [0]],
    [alice, null, [1, 2, 3]],
    [bob, null, [4, 5]],
  ])
  expect(acts(bundle.slice(0, 4))).toEqual([[alice, null, [0, 1, 2, 3]]])
})

test('the log of a forwarder that was not called hides nobody', () => {
  const forwarded = (address: typeof helper): DecodedLog => ({
    ...{ kind: 'forwarded', address, logIndex: 1, txHash: hash, signer: alice },
  })
  const claimants = (address: typeof helper) =>
    actsOf(sentTo(helper), [give(0, alice), forwarded(address)], false).map((act) => act.claimant)
  expect(claimants(helper)).toEqual([helper])
  expect(claimants(token)).toEqual([null])
})

test('a contract that calls the entry point beside its own deeds puts none of them on the senders of operations', () => {
  expect(tell(helper)).toEqual([[bundler, [0, 1, 2, 3, 4]]])
})
