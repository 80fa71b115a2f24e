// Attacks with keys: malformed and unknown ones, from one address and from many made-up ones.
import { crc32 } from 'node:zlib'
import { type Attack, repeat, type Target } from './attack.ts'

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const REFUSED = /^(400|401|403|414|429|431|503|closed)$/

/** A key with the right shape and checksum that nobody holds. */
function makeKey(round: number): string {
  const random = `storm${String(round).padStart(25, '0')}`
  let rest = crc32(random)
  let checksum = ''
  for (let digit = 0; digit < 6; digit++) {
    checksum = ALPHABET.charAt(rest % 62) + checksum
    rest = Math.floor(rest / 62)
  }
  return `assay_live_${random}${checksum}`
}

const ask = ({ client }: Target, key: string, headers: Record<string, string> = {}, from?: string) =>
  client.ask({ path: '/v1/tokens', headers: { authorization: `Bearer ${key}`, ...headers }, ...(from ? { from } : {}) })

/** Transactions of the database so far, from its statistics, which lag by up to a second. */
async function countTransactions({ stage }: Target): Promise<number> {
  const text = 'SELECT xact_commit::float8 AS count FROM pg_stat_database WHERE datname = current_database()'
  return (await stage.pool.query<{ count: number }>(text)).rows[0]?.count ?? 0
}

const UNKNOWN = 5_000
/**
 * Transactions of the honest client, of the rate limits, and of the keys looked up before the address was throttled.
 */
const MOST_TRANSACTIONS = 2_500

export const accessAttacks: Attack[] = [
  {
    name: 'malformed keys from one address',
    short: true,
    allowed: REFUSED,
    needed: /^429$/,
    run: (target) =>
      repeat(target, { times: 5_000, atOnce: 10 }, async (round) => {
        await ask(target, ['x', `assay_live_${round}`, makeKey(1).slice(0, -1), 'y'][round % 4] ?? 'x')
      }),
  },
  {
    name: 'unknown keys from one address',
    allowed: REFUSED,
    needed: /^429$/,
    run: async (target) => {
      const before = await countTransactions(target)
      await repeat(target, { times: UNKNOWN, atOnce: 10 }, async (round) => {
        await ask(target, makeKey(round))
      })
      await new Promise((resolve) => setTimeout(resolve, 1_200))
      const asked = (await countTransactions(target)) - before
      if (asked > MOST_TRANSACTIONS) target.tally.fault(`the database was asked ${asked} times`)
    },
  },
  {
    name: 'unknown keys from 250 addresses',
    allowed: REFUSED,
    run: (target) =>
      repeat(target, { times: 2_500, atOnce: 10 }, async (round) => {
        const from = process.platform === 'linux' ? `127.0.10.${1 + (round % 250)}` : undefined
        const headers = { authorization: `Bearer ${makeKey(round + 1e6)}` }
        await target.client.ask({ path: '/v1/tokens', headers, fresh: true, ...(from ? { from } : {}) })
      }),
  },
  {
    name: 'a made-up address of 60 KB per malformed key',
    setting: 'proxy',
    short: true,
    allowed: REFUSED,
    run: (target) =>
      repeat(target, { times: 10_000, atOnce: 10 }, async (round) => {
        await ask(target, 'x', { 'x-forwarded-for': `${round}-${'a'.repeat(60_000)}` })
      }),
  },
  {
    name: 'a made-up IP address per malformed key',
    setting: 'proxy',
    allowed: REFUSED,
    run: (target) =>
      repeat(target, { times: 20_000, atOnce: 10 }, async (round) => {
        const [high, low] = [round >> 8, round & 255]
        await ask(target, 'x', {
          'x-forwarded-for':
            round % 2 ? `10.9.${high & 255}.${low}` : `2001:db8:${high.toString(16)}:${low.toString(16)}::1`,
        })
      }),
  },
  {
    name: 'lists of made-up addresses',
    setting: 'proxy',
    allowed: /^([1-4]\d\d|503|closed)$/,
    run: (target) =>
      repeat(target, { times: 600, atOnce: 10 }, async (round) => {
        const forwarded = Array.from({ length: 4_000 }, (_, at) => `1.2.${at & 255}.${round & 255}`).join(',')
        const more = { 'x-forwarded-proto': 'https,'.repeat(500), 'x-forwarded-host': 'a.b,'.repeat(500) }
        await ask(target, target.stage.keys.trusted, { 'x-forwarded-for': forwarded, ...more })
      }),
  },
]
