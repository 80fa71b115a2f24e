// Every answer about events is the same, byte for byte, when a history has the older ones. The questions are random, and
// the boundary is anywhere. Some segments in the folder are as an earlier version wrote them, until a merge renews them.
import { describe, expect, test } from 'vitest'
import { formatEventId } from '../../src/base/event-id.ts'
import { CLASSIFICATIONS, EVENT_TYPES } from '../../src/base/vocabulary.ts'
import { createTestDatabase } from '../support/database.ts'
import { STORES } from '../support/history-stores.ts'
import { withHistory } from '../support/moved.ts'
import { makeOutdated } from '../support/outdated.ts'
import { createRandom, seedLedger, tokenAddress, walletAddress } from '../support/seed.ts'
import { createServed } from '../support/served.ts'

for (const { store, isThere, make } of STORES)
  describe.skipIf(!isThere)(`a history in ${store}`, async () => {
    if (!isThere) return
    const SIZE = { tokens: 14, wallets: 24, events: 900 }
    const whole = await createTestDatabase()
    const { events } = await seedLedger(whole.pool, SIZE)
    const moved = await createTestDatabase()
    await seedLedger(moved.pool, SIZE)
    const { under, move, faults } = await withHistory(moved, make)
    // The newest block is final in both.
    for (const { pool } of [whole, moved])
      await pool.query('UPDATE chain SET finalized = (SELECT max(number) FROM block)')
    const servers = [await createServed({ filled: whole }), await createServed({ filled: moved })]
    const keys = await Promise.all(servers.map(({ knock }) => knock({ plan: 'api' })))

    async function askBoth(path: string, body?: object): Promise<[unknown, unknown]> {
      const answers = servers.map(async ({ url }, at) => {
        const response = await fetch(`${url}${path}`, {
          method: body ? 'POST' : 'GET',
          headers: { authorization: keys[at]?.authorization ?? '', 'content-type': 'application/json' },
          ...(body ? { body: JSON.stringify(body) } : {}),
        })
        return { status: response.status, text: (await response.text()).replaceAll(/"request_?[iI]d":"[^"]+"/g, '') }
      })
      return (await Promise.all(answers)) as [unknown, unknown]
    }

    const random = createRandom(7)
    const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T
    const maybe = <T>(make: () => T, share = 0.4): T | undefined => (random() < share ? make() : undefined)
    const anId = () => {
      const { block, logIndex, part } = pick(events)
      return formatEventId({ blockNumber: block, logIndex, part: random() < 0.8 ? part : part + 1 })
    }
    const aTime = () => new Date(pick(events).time * 1000 + pick([-1, 0, 1, 500])).toISOString()
    const aToken = () => tokenAddress(1 + Math.floor(random() * SIZE.tokens))
    const aWallet = () => walletAddress(1 + Math.floor(random() * SIZE.wallets))
    const FIELDS = `id type direction amountUsd quantity priceUsd timestamp transactionHash walletAddress tokenAddress tokenSymbol
  blockNumber logIndex signerAddress counterparty { address } pool { address } isMev attribution finality`

    /** Arguments of a list in GraphQL. */
    function listArguments({
      tokens,
      wallets,
    }: {
      tokens?: string[] | undefined
      wallets?: string[] | undefined
    } = {}) {
      const filter = {
        types: maybe(() => [pick(EVENT_TYPES), ...(random() < 0.3 ? [pick(EVENT_TYPES)] : [])]),
        tokens,
        wallets,
        from: maybe(aTime, 0.2),
        to: maybe(aTime, 0.2),
        fromBlock: maybe(() => pick(events).block, 0.15),
        toBlock: maybe(() => pick(events).block, 0.15),
        afterEvent: maybe(anId, 0.2),
        beforeEvent: maybe(anId, 0.2),
        walletClassifications: maybe(() => [pick(CLASSIFICATIONS), pick(CLASSIFICATIONS)], 0.15),
        minAmountUsd: maybe(() => random() * 1_000, 0.2),
      }
      const count = pick([1, 9, 60, 100])
      const ways = [
        () => ({ first: count, after: maybe(anId) }),
        () => ({ first: count, offset: Math.floor(random() * 150) }),
        () => ({ last: count, before: maybe(anId) }),
      ]
      return argumentsOf({ filter, direction: maybe(() => 'asc'), ...pick(ways)() })
    }
    const LIST = `{ total pageInfo { hasNextPage hasPreviousPage startCursor endCursor } edges { cursor node { ${FIELDS} } } }`

    /** Words of an enum are bare in a document. */
    const WORDS: readonly string[] = [...EVENT_TYPES, ...CLASSIFICATIONS, 'asc']
    const literal = (value: unknown): string =>
      Array.isArray(value)
        ? `[${value.map(literal).join(', ')}]`
        : typeof value === 'object' && value !== null
          ? `{ ${Object.entries(value)
              .filter(([, each]) => each !== undefined)
              .map(([name, each]) => `${name}: ${literal(each)}`)
              .join(', ')} }`
          : typeof value === 'string' && WORDS.includes(value)
            ? value
            : JSON.stringify(value)
    const argumentsOf = (given: object): string => {
      const text = literal(given).slice(2, -2)
      return text ? `(${text})` : ''
    }

    const QUESTIONS: Record<string, () => [path: string, body?: object]> = {
      'a page of REST': () => {
        const query = new URLSearchParams()
        const given = {
          type: maybe(() => pick(EVENT_TYPES)),
          token_address: maybe(aToken),
          wallet_address: maybe(aWallet),
          since: maybe(aTime),
          after: maybe(anId),
          page: maybe(() => String(1 + Math.floor(random() * 5))),
          limit: String(pick([1, 10, 100])),
        }
        for (const [name, value] of Object.entries(given)) if (value) query.set(name, value)
        return [`/v1/events?${query}`]
      },
      "a wallet's page of REST": () => [
        `/v1/wallets/${aWallet()}/events?limit=${pick([5, 100])}&page=${pick([1, 2, 3])}`,
      ],
      'a list of GraphQL': () => ['/graphql', { query: `{ events${listArguments()} ${LIST} }` }],
      'lists of a token': () => [
        '/graphql',
        {
          query: `{ token(address: "${aToken()}") { events${listArguments({ wallets: maybe(() => [aWallet()]) })} ${LIST} } }`,
        },
      ],
      'lists of a wallet': () => [
        '/graphql',
        {
          query: `{ wallet(address: "${aWallet()}") { events${listArguments({ tokens: maybe(() => [aToken()]) })} ${LIST} } }`,
        },
      ],
      'lists of tokens and wallets': () => [
        '/graphql',
        {
          query: `{ events${listArguments({ tokens: maybe(() => [aToken(), aToken()]), wallets: maybe(() => [pick([walletAddress(5), aWallet()])], 0.7) })} ${LIST} }`,
        },
      ],
      'nodes by their ids': () => [
        '/graphql',
        { query: `{ nodes(ids: ["${anId()}", "${anId()}", "${anId()}"]) { id ... on Event { ${FIELDS} } } }` },
      ],
    }

    const QUESTIONS_A_BOUNDARY = 14
    const MOVES: (Parameters<typeof move>[0] & { forgets?: boolean })[] = [
      { most: 37 },
      { most: 3, forgets: false },
      { most: 90 },
      ...Array.from({ length: 8 }, (_, at) => ({ most: 20 + 11 * at, forgets: at % 3 !== 0 })),
      { most: 1_000 },
    ]

    const known = new Set<string>()
    /** Writes new segments, which nobody has read, as an earlier version did. Returns how many. */
    async function outdate(): Promise<number> {
      const fresh = (await under.listSegments()).filter((name) => !known.has(name))
      const chosen = fresh.filter((name) => known.add(name) && store === 'Parquet' && random() < 0.6)
      for (const name of chosen) await makeOutdated(under.place, name)
      return chosen.length
    }

    test('random questions about events have the same answers with a history, at every boundary', async () => {
      const asked = new Map<string, { filled: number }>()
      let outdated = 0
      for (const { forgets = true, ...rules } of MOVES) {
        expect(await move(rules, forgets)).toBe(true)
        outdated += await outdate()
        await Promise.all(servers.map(({ database }) => database.pool.query(`SELECT pg_notify('assay_head', '')`)))
        const { rows } = await moved.pool.query('SELECT max(last_n) AS n FROM history_segment')
        await expect.poll(async () => (await askBoth('/v1/events?limit=1'))[1]).toMatchObject({ status: 200 })
        expect(rows[0].n).toBeGreaterThan(0)
        for (const [name, question] of Object.entries(QUESTIONS)) {
          for (let count = 0; count < QUESTIONS_A_BOUNDARY; count += 1) {
            const [path, body] = question()
            const [expected, answer] = await askBoth(path, body)
            expect({ name, path, body, rules, faults, answer }).toEqual({
              name,
              path,
              body,
              rules,
              faults: [],
              answer: expected,
            })
            const text = JSON.stringify(expected)
            const known = asked.get(name) ?? { filled: 0 }
            asked.set(name, {
              filled:
                known.filled +
                Number(text.includes('0x') && text.includes('"status":200') && !text.includes('\\"errors\\"')),
            })
          }
        }
      }
      const { rows } = await moved.pool.query('SELECT count(*)::int AS left FROM event')
      expect(rows[0].left).toBeLessThan(40)
      if (store === 'Parquet') expect(outdated).toBeGreaterThan(2)
      // Most questions found events.
      for (const [name, { filled }] of asked) expect([name, filled]).toEqual([name, expect.toSatisfy((n) => n > 20)])
    })
  })
