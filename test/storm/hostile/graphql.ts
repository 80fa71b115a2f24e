// Attacks with GraphQL documents, each sent repeatedly by an unlimited customer.
import { type Attack, repeat, type Target } from './attack.ts'
import * as documents from './documents.ts'

const REFUSALS = /^(400|403|413|429|503|closed)$/
const ANY = /^(200|400|403|405|413|414|415|429|503|closed)$/
/** A larger answer to a document of 16 KiB is a fault. */
const LARGEST_BYTES = 20_000_000

type Made = documents.Document | ((round: number) => documents.Document)

interface Sending {
  times?: number
  atOnce?: number
  allowed?: RegExp
  short?: boolean
}

function byDocument(name: string, made: Made, { times = 60, atOnce = 4, allowed = ANY, short }: Sending = {}): Attack {
  const send = async (target: Target, round: number) => {
    const document = typeof made === 'function' ? made(round) : made
    await target.client.graphql(target.stage.keys.trusted, document)
  }
  return {
    name,
    allowed,
    ...(short ? { short } : {}),
    run: async (target) => {
      await repeat(target, { times, atOnce }, (round) => send(target, round))
      const { largestBytes } = target.tally
      if (largestBytes > LARGEST_BYTES) target.tally.fault(`an answer had ${(largestBytes / 1e6).toFixed(0)} MB`)
    },
  }
}

const refused = (name: string, made: Made, more: Sending = {}) => byDocument(name, made, { ...more, allowed: REFUSALS })

export const graphqlAttacks: Attack[] = [
  refused('fragments that double, in introspection (24)', documents.introspectionBomb(24), { times: 12 }),
  refused('fragments that double, in introspection (60)', documents.introspectionBomb(60), { times: 12, short: true }),
  refused('600 aliases in an explanation', documents.wideExplanation, { times: 12, short: true }),
  refused('fragments that double by ofType', (round) => documents.deepBomb(12 + (round % 20)), { times: 20 }),
  refused('fragments that double, in data', (round) =>
    documents.doubling(8 + 4 * (round % 14), '{ tokens(first: 200) { nodes { ...F0 } } }', 'Token', 'symbol'),
  ),
  refused('unused fragments that double', documents.chained(60)),
  refused('cyclic fragments', documents.cyclic),
  byDocument('aliases in contributions and floors', documents.wideScalars, { times: 12 }),
  byDocument('deep inline fragments', (round) => documents.deepInline([10, 100, 600, 1_300][round % 4] ?? 1)),
  refused('braces, 5,000 deep', documents.deepFields(5_000)),
  refused('directives, 900 on one field', (round) =>
    documents.directives(900, ['skip(if: false)', 'include(if: true)', 'x'][round % 3] ?? ''),
  ),
  byDocument('hundreds of variables', (round) =>
    round % 2 ? documents.hugeVariables(1_200) : documents.manyVariables(400),
  ),
  refused('a variable with lists 4,000 deep', documents.deepVariable(4_000)),
  refused('strings of 15 KB', (round) => documents.longString(14_000, round % 2 ? '"' : '"""')),
  refused('deep and long lists in arguments', (round) =>
    round % 2 ? documents.deepList(900) : documents.longList(1_900),
  ),
  byDocument('the whole introspection many times', (round) => documents.wideIntrospection(round % 2 ? 1 : 15), {
    times: 30,
  }),
  byDocument('nested types in introspection', (round) => documents.typeNest(1 + (round % 12)), { times: 48 }),
  byDocument('overlapping fields', (round) => documents.overlapping(round % 2 ? 1_900 : 900)),
  byDocument('deep overlapping fields', documents.overlappingDeep(70)),
  byDocument('overlapping fragments', documents.overlappingFragments(120)),
  refused('misspelt fields and arguments', (round) =>
    round % 2 ? documents.misspelt(900) : documents.misspeltArguments(450),
  ),
  refused('many operations and a long operation name', documents.operations(250)),
  byDocument('deep and wide nesting of data', (round) => documents.walk(1 + (round % 3), [5, 50, 200][round % 3] ?? 1)),
  byDocument('page sizes in variables', (round) =>
    documents.pagesByVariable([200, 0, -1, 2 ** 31, 1e308, null, '200', [200]][round % 8]),
  ),
  byDocument('only commas and comments', (round) =>
    round % 2 ? documents.ignored(15_000) : documents.comments(15_000),
  ),
  refused('numbers of 14,000 digits', (round) => (round % 2 ? documents.hugeNumber(14_000) : documents.hugeExponent)),
  byDocument(
    'defer, stream, subscription, persisted',
    (round) => [documents.streaming, documents.subscription, documents.persisted][round % 3] ?? documents.streaming,
  ),
  byDocument('lists that find nothing', documents.fruitless(29), { times: 24 }),
  byDocument('documents to keep by their hash', documents.kept, { times: 600 }),
  byDocument('random valid documents', documents.randomDocument, { times: 150 }),
]
