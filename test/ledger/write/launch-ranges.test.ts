// Tokens that a launch venue opens at Uniswap V3, written by the real writer. The holder of their liquidity counts as
// locked only if the venue or the preset proves it. Clanker v3.1 sends a position's token to its locker. Zora's coins
// and Doppler's contracts own their liquidity in the pool itself.
import { describe, expect, onTestFinished, test } from 'vitest'
import { type Address, ZERO_ADDRESS } from '../../../src/base/address.ts'
import { NEVER } from '../../../src/base/time.ts'
import { rootAtTick } from '../../../src/book/prices/tick-math.ts'
import type { Preset } from '../../../src/chain/presets/preset.ts'
import { acquireWriter } from '../../../src/database/writer-lock.ts'
import { addressOf, createQuotedMarket, type Emit, marketPreset, WETH, wallet } from '../../support/blocks.ts'
import { createTestDatabase } from '../../support/database.ts'
import { appendFinal, startAnew } from '../../support/writing.ts'

const POSITIONS = addressOf('positions', 1)
const TOKEN = addressOf('token', 1)
const [CLANKER, ZORA, AIRLOCK] = [addressOf('launcher', 1), addressOf('launcher', 2), addressOf('launcher', 3)]
const [PERMANENT, UNKNOWN] = [addressOf('locker', 7), addressOf('locker', 9)]
const INITIALIZER = addressOf('initializer', 1)
const POOL = addressOf('pool3', 77)
const [bot, creator] = [wallet(1), wallet(2)]
const AMOUNT = 10n ** 24n
const RANGE = { tickLower: -887_220, tickUpper: 0, liquidity: 10n ** 21n }
const FIRST = TOKEN < WETH

const preset: Preset = {
  ...marketPreset,
  factories: [
    ...marketPreset.factories.map((factory) =>
      factory.kind === 'v3' ? { ...factory, positions: POSITIONS } : factory,
    ),
    { address: CLANKER, kind: 'clanker', launchpad: 'clanker' },
    { address: ZORA, kind: 'zora', launchpad: 'zora' },
    { address: AIRLOCK, kind: 'doppler', launchpad: 'doppler' },
  ],
  lockers: [...marketPreset.lockers, { address: PERMANENT, name: 'Permanent', permanent: true }],
}
const V3_FACTORY = preset.factories.find(({ kind }) => kind === 'v3')?.address as Address

const database = await createTestDatabase()

interface Launched {
  venue: Address
  /** Who owns the liquidity in the pool's own log. */
  owner: Address
  keeper: Address | null
  /** The log after the pool's and before the venue's. */
  more?: (emit: Emit) => void
}

/** Launches in one transaction that the bot signs; returns the ledger's launch. */
async function launch({ venue, owner, keeper, more }: Launched) {
  const { market } = createQuotedMarket(bot)
  market.token(TOKEN)
  market.mine()
  const [token0, token1] = FIRST ? [TOKEN, WETH] : [WETH, TOKEN]
  const [amount0, amount1] = FIRST ? [AMOUNT, 0n] : [0n, AMOUNT]
  market.tx(bot, venue, (emit) => {
    market.move(emit, TOKEN, ZERO_ADDRESS, venue, AMOUNT)
    emit(V3_FACTORY, { kind: 'pool_opened', token0, token1, fee: 10_000, stable: false, pool: POOL })
    emit(POOL, { kind: 'v3_initialize', sqrtPriceX96: rootAtTick(0), tick: 0 })
    market.move(emit, TOKEN, venue, POOL, AMOUNT)
    emit(POOL, { kind: 'v3_mint', owner, ...RANGE, amount0, amount1 })
    more?.(emit)
    emit(venue, { kind: 'launched', token: TOKEN, creator, keeper })
  })
  market.mine()
  const lock = await acquireWriter({ database })
  onTestFinished(() => lock.release())
  await appendFinal(await startAnew(lock, market.reader, { preset }), market.blocks)
  const { rows } = await database.pool.query(
    `SELECT t.launchpad, d.address AS deployer, h.address AS holder, p.balance = lp.supply AS holds_all,
       extract(year FROM l.ends_at AT TIME ZONE 'UTC')::int AS until
     FROM launch JOIN token t ON t.id = launch.token_id JOIN pool ON pool.id = launch.pool_id JOIN token lp ON lp.id = pool.lp_token_id
     JOIN wallet d ON d.id = t.deployer_id JOIN wallet h ON h.id = launch.holder_id
     JOIN position p ON p.token_id = lp.id AND p.wallet_id = h.id
     LEFT JOIN token_lock l ON l.token_id = lp.id AND l.locker_id = h.id`,
  )
  return rows
}

/** The position manager's logs after the pool's: the token is minted to the venue, and sent on. */
const tokenTo = (holder: Address) => (emit: Emit) => {
  emit(POSITIONS, { kind: 'position_moved', number: 1, from: ZERO_ADDRESS, to: CLANKER })
  emit(POSITIONS, { kind: 'position_changed', number: 1, liquidity: RANGE.liquidity })
  emit(POSITIONS, { kind: 'position_moved', number: 1, from: CLANKER, to: holder })
}

const told = { deployer: creator, holds_all: true }

describe('Clanker v3.1', () => {
  test('a position that lies with its locker can never be withdrawn', async () => {
    const launched = { venue: CLANKER, owner: POSITIONS, keeper: null, more: tokenTo(PERMANENT) }
    expect(await launch(launched)).toMatchObject([{ ...told, launchpad: 'clanker', holder: PERMANENT, until: 9999 }])
  })

  test('with another contract it is told, and not taken for locked', async () => {
    const launched = { venue: CLANKER, owner: POSITIONS, keeper: null, more: tokenTo(UNKNOWN) }
    expect(await launch(launched)).toMatchObject([{ ...told, launchpad: 'clanker', holder: UNKNOWN, until: null }])
  })
})

describe('Zora at Uniswap V3', () => {
  test('a coin that owns its liquidity keeps it for good', async () => {
    const rows = await launch({ venue: ZORA, owner: TOKEN, keeper: null })
    expect(rows).toMatchObject([{ ...told, launchpad: 'zora', holder: TOKEN, until: 9999 }])
  })

  test('of another owner nothing is proven', async () => {
    const rows = await launch({ venue: ZORA, owner: UNKNOWN, keeper: null })
    expect(rows).toMatchObject([{ ...told, launchpad: 'zora', holder: UNKNOWN, until: null }])
  })
})

describe('Doppler at Uniswap V3', () => {
  const doppler = { venue: AIRLOCK, owner: INITIALIZER, keeper: INITIALIZER }

  test('liquidity that its contract proves to keep is locked', async () => {
    const keeps = (emit: Emit) => emit(INITIALIZER, { kind: 'launch_locked', of: POOL, endsAt: NEVER })
    const rows = await launch({ ...doppler, more: keeps })
    expect(rows).toMatchObject([{ ...told, launchpad: 'doppler', holder: INITIALIZER, until: 9999 }])
  })

  test('without its word it is told, and not taken for locked', async () => {
    expect(await launch(doppler)).toMatchObject([{ ...told, launchpad: 'doppler', holder: INITIALIZER, until: null }])
  })
})
