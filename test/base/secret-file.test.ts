import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readConfig } from '../../src/base/config.ts'
import { SECRETS } from '../../src/base/secret-file.ts'
import { makeFolder } from '../support/folder.ts'

const folder = makeFolder('secrets')
let files = 0
const write = (content: string | Buffer): string => {
  const path = join(folder, String(++files))
  writeFileSync(path, content)
  return path
}

const VALUES: Readonly<Record<(typeof SECRETS)[number], string>> = {
  DATABASE_URL: 'postgres://assay:hunter2@db.example/assay',
  DATABASE_POOL_URL: 'postgres://assay:hunter2@pool.example/assay',
  DATABASE_REPLICA_URL: 'postgres://one.example/assay,postgres://two.example/assay',
  REDIS_URL: 'redis://:hunter2@redis.example',
  HISTORY_URL: 'http://assay:hunter2@history.example:8123/assay',
  RPC_URL: 'https://node.example/hunter2,https://other.example/hunter2',
  CHAINS: 'one=https://node.example/hunter2,two=https://other.example/hunter2',
  HEADS_URL: 'wss://node.example/hunter2',
  SMTP_URL: 'smtp://user:hunter2@mail.example',
  SUMMARY_API_KEY: 'hunter2',
  X402_NODE_URL: 'https://node.example/hunter2',
  X402_FACILITATOR_AUTH: 'Bearer hunter2',
  ASSAY_KEY: 'hunter2',
}

/** Settings without which those of payments are refused. */
const PAYMENTS = {
  PUBLIC_URL: 'https://assay.example',
  X402_PAY_TO: `0x${'1'.repeat(40)}`,
  X402_PRICE: '1000',
  X402_NETWORK: 'eip155:8453',
  X402_ASSET: `0x${'2'.repeat(40)}`,
  X402_ASSET_NAME: 'USD Coin',
  X402_ASSET_VERSION: '2',
  X402_FACILITATOR_URL: 'https://facilitator.example',
}

describe('a secret out of a file', () => {
  it('equals the same secret in a variable, for every secret setting, without the newline at its end', () => {
    const { CHAINS, ...one } = VALUES
    const { RPC_URL, HEADS_URL, ...several } = VALUES
    for (const values of [one, several]) {
      const files = Object.entries(values).map(([name, value]) => [`${name}_FILE`, write(`${value}\n`)])
      expect(readConfig({ ...PAYMENTS, ...Object.fromEntries(files) })).toEqual(readConfig({ ...PAYMENTS, ...values }))
    }
  })

  it('is offered for every setting whose example has a password or a key', () => {
    const example = readFileSync(new URL('../../.env.example', import.meta.url), 'utf8')
    const secret = [...example.matchAll(/^#?([A-Z_]+)=(?:.*:\/\/[^\s]*(?:password@|\/key$).*)?$/gm)].map(
      ([, name]) => name,
    )
    expect(secret.length).toBeGreaterThan(5)
    expect(secret.filter((name) => !SECRETS.some((each) => each === name))).toEqual([])
  })

  it('satisfies settings that need another', () => {
    const DATABASE_POOL_URL_FILE = write(VALUES.DATABASE_POOL_URL)
    expect(() => readConfig({ DATABASE_POOL_URL_FILE })).toThrow('DATABASE_POOL_URL: needs DATABASE_URL')
    expect(
      readConfig({ DATABASE_POOL_URL_FILE, DATABASE_URL_FILE: write(VALUES.DATABASE_URL) }).DATABASE_POOL_URL,
    ).toBe(VALUES.DATABASE_POOL_URL)
  })

  it('is unset by an empty name of a file', () => {
    expect(readConfig({ DATABASE_URL_FILE: ' ' })).toEqual(readConfig({}))
  })
})

describe('a secret whose file is at fault', () => {
  const pipe = join(folder, 'pipe')
  execFileSync('mkfifo', [pipe])
  const below = join(folder, 'below')
  mkdirSync(below)

  it.each([
    ['an absent file', join(folder, 'none'), 'does not exist'],
    ['a path below a file', join(write('x'), 'y'), 'does not exist'],
    ['a folder', below, 'is no ordinary file'],
    ['a pipe that nobody writes', pipe, 'is no ordinary file'],
    ['a device', '/dev/zero', 'is no ordinary file'],
    ['an empty file', write(''), 'is empty'],
    ['a file of spaces', write(' \n\n'), 'is empty'],
    ['a large file', write(Buffer.alloc(64 * 1024 + 1, 'hunter2')), 'is larger than 64 KiB'],
    ['two lines', write('hunter2\nhunter2'), 'has more than one line'],
  ])('of %s is named by its setting, never by its path or content', (_, path, problem) => {
    const read = () => readConfig({ SUMMARY_API_KEY_FILE: path, PORT: 'x' })
    expect(read).toThrow(
      expect.objectContaining({
        exitCode: 78,
        message: `The environment is invalid:\n  SUMMARY_API_KEY_FILE: the file ${problem}\n  PORT: must be a whole number`,
      }),
    )
  })

  it('with a wrong value is refused without the value', () => {
    const RPC_URL_FILE = write('ftp://node.example/hunter2')
    expect(() => readConfig({ RPC_URL_FILE })).toThrow(
      expect.objectContaining({ message: expect.not.stringContaining('hunter2') }),
    )
    expect(() => readConfig({ RPC_URL_FILE })).toThrow('RPC_URL: must be a URL that starts with http:// or https://')
  })

  it('is refused together with the variable itself', () => {
    expect(() => readConfig({ REDIS_URL: VALUES.REDIS_URL, REDIS_URL_FILE: write(VALUES.REDIS_URL) })).toThrow(
      'REDIS_URL_FILE: cannot be set together with REDIS_URL',
    )
  })

  it('of the secret itself does not show it', () => {
    expect(() => readConfig({ DATABASE_URL_FILE: VALUES.DATABASE_URL })).toThrow(
      expect.objectContaining({ message: expect.not.stringContaining('hunter2') }),
    )
  })
})
