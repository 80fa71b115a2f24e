// Reads a launch curve for its row: the quote token and the amount for sale. Input: keys of curves (a token and the
// beginning of a venue's address). The venue's log proves the curve. A curve without a description counts as sold for
// the native coin, as nearly all are.
import { type Address, ZERO_ADDRESS } from '../../base/address.ts'
import { curveKey, traitsOf } from '../exchanges/venues.ts'
import type { Factory, Preset } from '../presets/preset.ts'
import { readAddressAt, readUint } from './abi.ts'
import type { ContractCall, EthCall } from './call.ts'
import type { PoolMetadata } from './reader.ts'
import { callData } from './words.ts'

/** Four.meme's helper: getTokenInfo(address). */
const TOKEN_INFO = { selector: '0x1f69565f', quote: 2, offered: 8 }
/** Flap's portal: getTokenV3(address). */
const TOKEN_V3 = { selector: '0x0a7bb193', quote: 7, offered: 6 }

/** A curve of a known token and nothing else. */
export const curveOf = (
  { address: factory, launchpad }: Pick<Factory, 'address' | 'launchpad'>,
  token0: Address,
  token1: Address,
  offered: bigint | null,
): PoolMetadata => ({
  kind: 'curve',
  factory,
  launchpad,
  token0,
  token1,
  fee: null,
  stable: false,
  hooks: null,
  hookRights: 0,
  tickSpacing: null,
  reserve0: offered ?? 0n,
  reserve1: 0n,
  sqrtPriceX96: null,
  shares: 0n,
  offered,
})

/** The curves among these keys. */
export async function readCurves(
  ethCall: EthCall,
  { factories, wrappedNative }: Pick<Preset, 'factories' | 'wrappedNative'>,
  keys: readonly Address[],
  block: number,
): Promise<Map<Address, PoolMetadata>> {
  const venues = factories.filter((each) => traitsOf(each).isCurve)
  const asked = keys.flatMap((key) => {
    const token = key.slice(0, 42) as Address
    const venue = venues.find(({ address }) => curveKey(token, address) === key)
    return venue ? [{ key, token, venue }] : []
  })
  const answers = await ethCall(asked.map(question), block)
  return new Map(
    asked.map(({ key, token, venue }, at) => {
      const { quote, offered } = wordsOf(venue)
      const named = readAddressAt(answers[at], quote) ?? ZERO_ADDRESS
      const sold = readUint(answers[at], offered) ?? 0n
      const token1 = named === ZERO_ADDRESS || named === token ? wrappedNative : named
      return [key, curveOf(venue, token, token1, sold > 0n ? sold : null)]
    }),
  )
}

const wordsOf = ({ kind }: Factory) => (kind === 'four_meme' ? TOKEN_INFO : TOKEN_V3)

/** Neither value changes, and the curve may be younger than the block. */
const question = ({ token, venue }: { token: Address; venue: Factory }): ContractCall => ({
  to: venue.helper ?? venue.address,
  data: callData(wordsOf(venue).selector, token),
  constant: true,
  newest: true,
})
