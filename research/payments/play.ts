// Plays the people on a real EVM. Input: a new chain, people and a seed. Every wallet is paid a day or more before it buys,
// and buys once, at a time and for an amount of its own.
import { type Address, toAddress } from '../../src/base/address.ts'
import { DISPERSER } from '../../test/support/disperser.ts'
import type { Live } from '../../test/support/live.ts'
import { ether, units } from '../../test/support/market/trade.ts'
import { createRandom } from '../statistics/metrics.ts'
import { type Funding, type People, TOKENS } from './people.ts'

const DISPERSE = '0x00000000000000000000000000000000d15b0001'
const START = 1_760_010_000
const BLOCK_SECONDS = 1_200
/** Blocks in which wallets buy: three days. */
const BUYING = 216
/** Blocks between the last payment and the first purchase. */
const RESTING = 75
/** Amounts in coins. */
const GIVEN = { owner: 100, wallet: 2, exchange: 100_000 }

export async function play(live: Live, { holders, fundings }: People, seed: number): Promise<void> {
  const { anvil, chain, founder, trade, venues } = live
  let time = START
  const mine = () => {
    time += BLOCK_SECONDS
    return chain.mine(time)
  }
  await anvil.rpc('anvil_setCode', [DISPERSE, DISPERSER.code])
  // Money from before the index: nobody sees where it is from.
  for (const address of new Set([...fundings.map(({ from }) => from), ...holders.map((holder) => holder.address)]))
    await anvil.rpc('anvil_setBalance', [address, `0x${ether(GIVEN.exchange).toString(16)}`])
  const tokens: Address[] = []
  for (let at = 0; at < TOKENS; at++) {
    const token = await chain.deploy(founder, 'plainToken', [`Coin ${at}`, `C${at}`, 18, units(1e6, 18), founder])
    await mine()
    await trade.addLiquidity(venues.uniswapV2, founder, token, units(1e6, 18), ether(100))
    await mine()
    tokens.push(toAddress(token))
  }
  await fund(live, fundings, mine)
  for (let left = RESTING; left > 0; left--) await mine()
  const random = createRandom(seed + 1)
  const buys = tokens.flatMap((token, at) =>
    holders
      .filter((holder) => holder.token === at)
      .map(({ address }) => ({
        address,
        token,
        block: Math.floor(random() * BUYING),
        wei: ether(0.05 * 20 ** random()),
      })),
  )
  for (let block = 0; block < BUYING; block++) {
    for (const { address, token, wei } of buys.filter((buy) => buy.block === block))
      await trade.buy(venues.uniswapV2, address, [venues.weth, token], wei)
    await mine()
  }
  if (chain.failures.length > 0) throw new Error(`transactions failed: ${chain.failures.slice(0, 3).join('; ')}`)
}

/** Step by step, some payments a block. */
async function fund({ chain }: Live, fundings: readonly Funding[], mine: () => Promise<void>): Promise<void> {
  const last = Math.max(...fundings.map(({ step }) => step))
  for (let step = 0; step <= last; step++) {
    const due = fundings.filter((funding) => funding.step === step)
    for (let at = 0; at < due.length; at += 10) {
      for (const { from, to, isDispersed } of due.slice(at, at + 10)) {
        const [only] = to
        const each = ether(step === 0 ? GIVEN.owner : GIVEN.wallet)
        const call = { to: DISPERSE, abi: DISPERSER.abi, name: 'disperse', args: [to] } as const
        if (isDispersed) await chain.send(from, call, each * BigInt(to.length))
        else if (only) await chain.pay(from, only, each)
      }
      await mine()
    }
  }
}
