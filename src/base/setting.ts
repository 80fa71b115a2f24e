// The forms of settings: each reads the text of a variable, or says what it must be.
import { readFileSync, statSync } from 'node:fs'
import { isIP, isIPv4 } from 'node:net'
import { resolve } from 'node:path'
import { z } from 'zod'
import { parseAddress } from './address.ts'
import { type ChainPlace, parseChains } from './chains.ts'
import { type HeadReads, SAVING_MS } from './head-reads.ts'
import type { MaxLag } from './max-lag.ts'
import { isSafeServer } from './safe-server.ts'
import { parseSentinelUrl } from './sentinel-url.ts'
import { parseStart } from './start.ts'

const text = z.string().trim().min(1)
const whole = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d+$/, 'must be a whole number')
    .transform(Number)
    .pipe(z.number().int().min(min, `must be at least ${min}`).max(max, `must be at most ${max}`))
/** A value that `parse` makes of the text; null: it is none. */
const parsedBy = <Value>(parse: (text: string) => Value | null, message: string) =>
  text.transform((value, context): Value => {
    const parsed = parse(value)
    if (parsed !== null) return parsed
    context.addIssue({ code: 'custom', message })
    return z.NEVER
  })
/** Values separated by commas. */
const listOf = <Item extends z.ZodType<unknown, string>>(item: Item) =>
  text.transform((value) => value.split(',').map((part) => part.trim())).pipe(z.array(item))

const start = parsedBy(parseStart, 'must be like 7d, 36h, 2026-01-31, head, or the number of a block')
const account = parsedBy(parseAddress, 'must be an address: 0x and 40 hex digits')
const url = (...protocols: string[]) =>
  text.refine(
    (value) => URL.canParse(value) && protocols.includes(new URL(value).protocol),
    `must be a URL that starts with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`,
  )
const urls = listOf(url('http:', 'https:'))
const databases = listOf(url('postgres:', 'postgresql:'))
/** The address of a database of ClickHouse. Its client would read parameters as options. */
const clickhouse = url('http:', 'https:').refine((value) => {
  if (!URL.canParse(value)) return false
  const { pathname, search, hash } = new URL(value)
  return /^\/\w{1,64}$/.test(pathname) && search === '' && hash === ''
}, 'must name one database and no parameters, like http://user:password@host:8123/database')
const redis = text.refine(
  (value) => url('redis:', 'rediss:').safeParse(value).success || parseSentinelUrl(value) !== null,
  'must be a URL that starts with redis:// or rediss://, or redis+sentinel://host:port,host:port/name',
)
const ports = listOf(whole(1, 65_535))
/** The path of a file; the configuration has the file's content. */
const file = text.transform((path, context) => {
  try {
    return readFileSync(resolve(path), 'utf8')
  } catch {
    context.addIssue({ code: 'custom', message: `the file ${path} cannot be read` })
    return z.NEVER
  }
})

/** The path of a folder that exists. */
const folder = text
  .transform((path) => resolve(path))
  .refine((path) => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false, 'must be a folder that exists')

/** Express's `trust proxy`: all proxies, a number of hops, or addresses and networks. */
const proxies = text.transform((value, context) => {
  if (value === 'true' || value === 'false') return value === 'true'
  if (/^\d{1,3}$/.test(value)) return Number(value)
  if (value.split(',').every((part) => isNetwork(part.trim()))) return value
  context.addIssue({ code: 'custom', message: 'must be true, a number of hops, or addresses separated by commas' })
  return z.NEVER
})

/** An address, optionally with a prefix length or mask, or a name of a network that Express knows. */
function isNetwork(value: string): boolean {
  if (['loopback', 'linklocal', 'uniquelocal'].includes(value)) return true
  const [address = '', mask, ...rest] = value.split('/')
  if (rest.length > 0 || isIP(address) === 0) return false
  if (mask === undefined || (isIPv4(address) && isIPv4(mask))) return true
  return /^[1-9]\d{0,2}$/.test(mask) && Number(mask) <= (isIPv4(address) ? 32 : 128)
}

/** A share of things that are logged or checked, from 0 to 1. */
const share = text.transform((value, context) => {
  if (value === 'all') return 1
  if (value === 'none') return 0
  if (/^(0?\.\d+|0|1)$/.test(value)) return Number(value)
  context.addIssue({ code: 'custom', message: 'must be all, none, or a share such as 0.01' })
  return z.NEVER
})

const chains = text.transform((value, context): ChainPlace[] => {
  const parsed = parseChains(value)
  if (typeof parsed !== 'string') return parsed
  context.addIssue({ code: 'custom', message: parsed })
  return z.NEVER
})

const headReads = text.transform((value, context): HeadReads => {
  if (value === 'latency' || value === 'block') return { kind: value }
  if (value === 'saving') return { kind: 'interval', ms: SAVING_MS }
  const seconds = Number(/^(\d{1,3})s$/.exec(value)?.[1] ?? 0)
  if (seconds > 0) return { kind: 'interval', ms: 1_000 * seconds }
  context.addIssue({ code: 'custom', message: 'must be latency, block, saving, or seconds such as 30s' })
  return z.NEVER
})

const maxLag = text.transform((value, context): MaxLag => {
  const [, amount, unit] = /^(\d{1,7})(s?)$/.exec(value) ?? []
  if (amount !== undefined && Number(amount) <= 1_000_000) return unit ? { seconds: Number(amount) } : Number(amount)
  context.addIssue({ code: 'custom', message: 'must be blocks such as 50, or seconds such as 300s, at most 1000000' })
  return z.NEVER
})

const safeServer = text.refine(isSafeServer, 'must be a URL that starts with https://, or with http:// on this machine')
const flag = z.enum(['true', 'false'], 'must be true or false').transform((value) => value === 'true')

/** The forms, by their names. */
export const SETTING_FORMS = {
  account,
  chains,
  clickhouse,
  databases,
  file,
  flag,
  folder,
  headReads,
  maxLag,
  ports,
  proxies,
  redis,
  safeServer,
  share,
  start,
  text,
  url,
  urls,
  whole,
} as const
