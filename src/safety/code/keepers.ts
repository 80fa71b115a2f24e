// Whether the holder of a power must wait, or needs several signatures. Input: contracts. Output: the kind of each, by
// its answers: a timelock has a delay, a multisig a threshold. A contract that another one owns is as quick as its
// owner.
import type { Address } from '../../base/address.ts'
import { readUint } from '../../chain/contracts/abi.ts'
import { callData, selectorOf } from '../../chain/contracts/words.ts'
import type { Asker } from '../node/asker.ts'
import { READ_GAS } from '../node/gas.ts'
import type { Reply } from '../node/reply.ts'
import type { HolderFact } from './conclude.ts'
import type { Insider } from './insiders.ts'
import { addressOf } from './proxy.ts'

/** OpenZeppelin's TimelockController, Compound's Timelock, Safe, and any contract with an owner. */
const QUESTIONS = ['getMinDelay()', 'delay()', 'getThreshold()', 'owner()'].map((signature) =>
  callData(selectorOf(signature)),
)
/** A larger number is not a delay. */
const MAX_DELAY_SECONDS = 3_650n * 86_400n
const MAX_CONTRACTS = 4

const ACCOUNT: HolderFact = { kind: 'account', delaySeconds: 0 }

export async function classifyHolders(asker: Asker, callers: readonly Insider[]): Promise<Map<Address, HolderFact>> {
  const contracts = callers.filter(({ isContract }) => isContract).slice(0, MAX_CONTRACTS)
  const told = await askContracts(
    asker,
    contracts.map(({ address }) => address),
  )
  const owned = told.flatMap(({ fact, owner }) => (fact.kind === 'contract' && owner ? [owner] : []))
  const above = new Map((await askContracts(asker, owned)).map(({ address, fact }) => [address, fact]))
  const facts = told.map(({ address, fact, owner }): [Address, HolderFact] => {
    const over = owner ? above.get(owner) : undefined
    return [address, fact.kind === 'contract' && over ? over : fact]
  })
  return new Map([
    ...callers.filter(({ isContract }) => !isContract).map(({ address }): [Address, HolderFact] => [address, ACCOUNT]),
    ...facts,
  ])
}

/** An account without code answers nothing; an unknown contract has an unknown kind. */
async function askContracts(asker: Asker, addresses: readonly Address[]) {
  const replies = await asker.ask(
    addresses.flatMap((to) =>
      QUESTIONS.map((data) => ({ method: 'eth_call', params: [{ to, data, gas: READ_GAS }, asker.block.tag] })),
    ),
  )
  return addresses.map((address, at) => {
    const [minDelay, delay, threshold, owner] = replies.slice(QUESTIONS.length * at, QUESTIONS.length * (at + 1))
    return {
      address,
      fact: toFact(numberOf(minDelay) ?? numberOf(delay), numberOf(threshold)),
      owner: addressOf(owner),
    }
  })
}

const numberOf = (reply: Reply | undefined): bigint | null => (reply?.kind === 'result' ? readUint(reply.result) : null)

function toFact(delay: bigint | null, threshold: bigint | null): HolderFact {
  if (delay !== null && delay > 0n && delay <= MAX_DELAY_SECONDS)
    return { kind: 'timelock', delaySeconds: Number(delay) }
  return threshold !== null && threshold > 1n
    ? { kind: 'multisig', delaySeconds: 0 }
    : { kind: 'contract', delaySeconds: 0 }
}
