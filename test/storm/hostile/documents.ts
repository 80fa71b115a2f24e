// GraphQL documents that are cheap to send and expensive to process, each up to the allowed length.
import { createHash } from 'node:crypto'
import { createRandom } from '../../support/market/random.ts'

export interface Document {
  query: string
  variables?: unknown
  operationName?: string
  extensions?: unknown
}

const many = (count: number, write: (at: number) => string, between = ' '): string =>
  Array.from({ length: count }, (_, at) => write(at)).join(between)

/** Fragments that each spread the next one twice: 2^n selections in n lines. */
export const doubling = (count: number, root: string, type: string, leaf: string): Document => ({
  query: `${root} ${many(count, (at) => `fragment F${at} on ${type} { ...F${at + 1} ...F${at + 1} }`)} fragment F${count} on ${type} { ${leaf} }`,
})

export const introspectionBomb = (count: number): Document =>
  doubling(count, '{ __schema { types { ...F0 } } }', '__Type', 'name')

/** The same through a field, so that every level is deeper; only `ofType` nests. */
export const deepBomb = (count: number): Document => ({
  query: `{ __schema { types { ...F0 } } } ${many(count, (at) => `fragment F${at} on __Type { a: ofType { ...F${at + 1} } b: ofType { ...F${at + 1} } }`)} fragment F${count} on __Type { name }`,
})

const aliases = (count: number, field = '__typename'): string => many(count, (at) => `a${at}: ${field}`)

/** 600 aliases on the inputs of the explanations of 200 events' wallets. */
export const wideExplanation: Document = {
  query: `{ events(first: 200) { nodes { wallet { score { explanation { dimensions { inputs { ${aliases(600)} } } } } } } } }`,
}

export const wideScalars: Document = {
  query: `{ events(first: 200) { nodes { token { score { explanation { contributions { ${aliases(200)} } floors { ${aliases(200)} } } } } } } }`,
}

export const deepInline = (count: number): Document => ({
  query: `{ ${'... { '.repeat(count)}__typename ${'} '.repeat(count)}}`,
})

export const deepFields = (count: number): Document => ({ query: `${'{a'.repeat(count)}${'}'.repeat(count)}` })

export const directives = (count: number, name: string): Document => ({
  query: `{ chain { name ${`@${name} `.repeat(count)} } }`,
})

export const hugeVariables = (count: number): Document => ({
  query: 'query($limit: Int) { tokens(first: $limit) { total } }',
  variables: Object.fromEntries(Array.from({ length: count }, (_, at) => [`v${at}`, at])),
})

export const deepVariable = (depth: number): Document => ({
  query: 'query($filter: TokenFilter) { tokens(filter: $filter) { total } }',
  variables: { filter: JSON.parse(`${'['.repeat(depth)}1${']'.repeat(depth)}`) },
})

export const manyVariables = (count: number): Document => ({
  query: `query(${many(count, (at) => `$v${at}: Int`)}) { chain { name } }`,
})

export const longString = (length: number, quote: '"' | '"""'): Document => ({
  query: `{ token(address: ${quote}${quote === '"' ? '\\\\'.repeat(length / 2) : '\n  x'.repeat(length / 4)}${quote}) { symbol } }`,
})

export const deepList = (depth: number): Document => ({
  query: `{ tokens(filter: { excludeFlags: ${'['.repeat(depth)}wash_trading${']'.repeat(depth)} }) { total } }`,
})

export const longList = (count: number): Document => ({
  query: `{ tokens(filter: { excludeFlags: [${'wash_trading '.repeat(count)}] }) { total } }`,
})

/** The whole introspection, many times under different aliases. */
export const wideIntrospection = (count: number): Document => ({
  query: `{ ${many(count, (at) => `s${at}: __schema { ...S }`)} }
    fragment S on __Schema { description queryType { ...T } types { ...T fields(includeDeprecated: true) { name description args { ...I } type { ...R } } inputFields { ...I } enumValues { name description } interfaces { ...R } possibleTypes { ...R } } directives { name description locations args { ...I } } }
    fragment T on __Type { kind name description } fragment I on __InputValue { name description defaultValue type { ...R } }
    fragment R on __Type { kind name ofType { kind name ofType { kind name ofType { kind name } } } }`,
})

export const typeNest = (depth: number): Document => ({
  query: `{ __type(name: "Token") { ${'fields { type { '.repeat(depth)}name ${'} } '.repeat(depth)}} }`,
})

/** One response name many times: validation compares each pair. */
export const overlapping = (count: number): Document => ({ query: `{ chain { ${'name '.repeat(count)}} }` })

export const overlappingDeep = (count: number): Document => ({
  query: `{ ${many(count, () => 'tokens { nodes { pools { nodes { base { pools { nodes { type } } } } } } }')} }`,
})

export const overlappingFragments = (count: number): Document => ({
  query: `{ tokens { nodes { ${many(count, (at) => `...F${at}`)} } } } ${many(count, (at) => `fragment F${at} on Token { symbol name ${at > 0 ? `...F${at - 1}` : ''} }`)}`,
})

/** Misspelt names; the server searches a suggestion for each. */
export const misspelt = (count: number): Document => ({
  query: `{ ${many(count, (at) => `toekns${'n'.repeat(at % 9)}${at}`)} }`,
})

export const misspeltArguments = (count: number): Document => ({
  query: `{ tokens(${many(count, (at) => `limti${at}: 1`)}) { total } }`,
})

export const cyclic: Document = {
  query:
    '{ tokens { nodes { ...A } } } fragment A on Token { ...B } fragment B on Token { ...C } fragment C on Token { ...A }',
}

export const chained = (count: number): Document => doubling(count, '{ chain { name } }', 'Token', 'symbol')

export const operations = (count: number): Document => ({
  query: many(count, (at) => `query O${at} { chain { name } }`),
  operationName: `O${'9'.repeat(4_000)}`,
})

/** Token, holders, wallet, portfolio, token, and so on. */
export const walk = (depth: number, limit: number): Document => ({
  query: `{ tokens(first: ${limit}) { nodes { ${`holders(first: ${limit}) { nodes { wallet { portfolio(limit: ${limit}) { token { `.repeat(depth)}symbol ${'} } } } } '.repeat(depth)}} } }`,
})

export const pagesByVariable = (limit: unknown): Document => ({
  query: `query($n: Int, $m: Int = 200) { tokens(first: $n) { nodes { holders(first: $m) { nodes { address } } } } }`,
  variables: { n: limit },
})

export const ignored = (length: number): Document => ({ query: `{ chain { name } }${', '.repeat(length / 2)}` })
export const comments = (length: number): Document => ({ query: `#${'#x\n'.repeat(length / 3)}{ chain { name } }` })
export const hugeNumber = (length: number): Document => ({
  query: `{ tokens(first: ${'9'.repeat(length)}) { total } }`,
})
export const hugeExponent: Document = {
  query: '{ tokens(filter: { minLiquidityUsd: 1e999999999, maxRiskScore: -1e308 }) { total } }',
}
export const streaming: Document = {
  query: '{ tokens(first: 200) { items @stream(initialCount: 0) { symbol ... @defer { holders { total } } } } }',
}
export const subscription: Document = { query: 'subscription { events { __typename } }' }
export const persisted: Document = {
  query: '',
  extensions: { persistedQuery: { version: 1, sha256Hash: '0'.repeat(64) } },
}

const FIELDS: Readonly<Record<string, { leaves: string[]; ways: [field: string, type: string][] }>> = {
  Query: {
    leaves: ['__typename'],
    ways: [
      ['tokens(first: $n) { nodes {', 'Token'],
      ['events(first: $n) { nodes {', 'Event'],
    ],
  },
  Token: {
    leaves: ['symbol', 'riskScore', 'aiSummary', 'riskFlags', '__typename'],
    ways: [
      ['holders(first: $n) { nodes {', 'Holder'],
      ['events(first: $n) { nodes {', 'Event'],
      ['pools { nodes { base {', 'Token'],
      ['topHolders { wallet {', 'Wallet'],
    ],
  },
  Holder: { leaves: ['address', 'valueUsd'], ways: [['wallet { score { wallet {', 'Wallet']] },
  Event: {
    leaves: ['transactionHash', 'amountUsd'],
    ways: [
      ['wallet { firstFunder {', 'Wallet'],
      ['token { score { token {', 'Token'],
    ],
  },
  Wallet: {
    leaves: ['address', 'classification', 'pnlEstimateUsd'],
    ways: [
      ['portfolio(limit: $n) { token {', 'Token'],
      ['events(first: $n) { nodes {', 'Event'],
      ['firstFunder { score { wallet {', 'Wallet'],
    ],
  },
}
const LENGTH = 9_000

/**
 * Random valid documents with aliases, spreads and nesting up to the allowed length; the same seed gives the same
 * document.
 */
export function randomDocument(seed: number): Document {
  const random = createRandom(seed)
  let written = 0
  let name = 0
  const write = (type: string, depth: number): string => {
    const { leaves, ways } = FIELDS[type] ?? { leaves: ['__typename'], ways: [] }
    const parts = [`a${name++}: ${random.pick(leaves)}`]
    const most = 1 + Math.floor(random.next() * 4)
    for (let at = 0; at < most && depth > 0 && written < LENGTH && ways.length > 0; at++) {
      const [field, next] = random.pick(ways)
      const limit = random.pick([1, 10, 200, 1_000_000])
      const opened = `a${name++}: ${field.replace('$n', String(limit))} `
      written += opened.length
      parts.push(`${opened}${write(next, depth - 1)} ${'} '.repeat(field.split('{').length - 1)}`)
    }
    const text = parts.join(' ')
    return random.chance(0.2) && type !== 'Query' ? `... on ${type} { ${text} }` : text
  }
  return { query: `{ ${write('Query', 1 + Math.floor(random.next() * 5))} }` }
}

/** Lists that look at as many rows as they may, and find nothing. */
export const fruitless = (count: number): Document => ({
  query: `{ ${many(count, (at) =>
    at % 2
      ? `a${at}: wallets(filter: { minClosedPositionCount: 2000000000, classifications: [sybil] }, orderBy: { field: trade_count }) { total edges { cursor } }`
      : `a${at}: events(filter: { minAmountUsd: 1e300, walletClassifications: [locker] }) { total edges { cursor } }`,
  )} }`,
})

/** A document that is kept by its hash, of nearly the largest size, another each time. */
export const kept = (round: number): Document => {
  const query = `# ${String(round).padEnd(15_000, 'x')}\n{ chain { name } }`
  return {
    query,
    extensions: { persistedQuery: { version: 1, sha256Hash: createHash('sha256').update(query).digest('hex') } },
  }
}
