// The chains of this installation, and what each of them knows of one wallet or one text. A chain that does not answer
// makes its own field fail, and no other one.

import { MOST_CHAINS } from '../../base/chains.ts'
import { AssayError } from '../../base/errors.ts'
import type { Classification, Confidence, RiskLevel } from '../../base/vocabulary.ts'
import type { Sibling } from '../context.ts'
import { listOf, PART } from '../cost/list-size.ts'
import { readLimit } from '../cost/page-arguments.ts'
import { builder } from '../schema/builder.ts'
import { limitArgs } from '../schema/length.ts'
import { ClassificationEnum, ConfidenceEnum, RiskLevelEnum } from '../schema/vocabulary.ts'

/** Tokens of one chain's search by default, and at most. */
const FOUND = 3
const MOST_FOUND = 10
/** A chain that takes longer counts as one that does not answer. */
const ANSWER_MS = 3_000

interface WalletOnChain {
  classification: Classification
  reputationScore: number
  reputationConfidence: Confidence
  pnlEstimateUsd: number
  pnlConfidence: Confidence
  tradeCount: number
  firstSeen: string
}

const WALLET = `query ChainWallet($address: Address!) { answer: wallet(address: $address) {
  classification reputationScore reputationConfidence pnlEstimateUsd pnlConfidence tradeCount firstSeen } }`

interface TokenOnChain {
  address: string
  symbol: string
  name: string
  riskScore: number
  riskLevel: RiskLevel
  reasons: unknown[]
  liquidityUsd: number
}

const SEARCH = `query ChainSearch($query: String!, $limit: Int) { answer: search(query: $query, limit: $limit) {
  tokens { address symbol name riskScore riskLevel reasons { points } liquidityUsd } } }`

const WalletOnChainObject = builder.objectRef<WalletOnChain>('WalletOnChain').implement({
  description: 'A wallet as one chain knows it. `/NAME/graphql` of that chain has everything else.',
  extensions: PART,
  fields: (t) => ({
    classification: t.expose('classification', { type: ClassificationEnum, description: 'Its class on that chain.' }),
    reputationScore: t.exposeFloat('reputationScore', { description: 'The reputation, 0-100; higher is better.' }),
    reputationConfidence: t.expose('reputationConfidence', {
      type: ConfidenceEnum,
      description: 'How sure the reputation is.',
    }),
    pnlEstimateUsd: t.exposeFloat('pnlEstimateUsd', { description: 'The estimated profit on that chain, in USD.' }),
    pnlConfidence: t.expose('pnlConfidence', { type: ConfidenceEnum, description: 'How sure the profit is.' }),
    tradeCount: t.exposeInt('tradeCount', { description: 'How many swaps it made on that chain.' }),
    firstSeen: t.field({
      type: 'DateTime',
      description: 'The time of the first block of that chain that names it.',
      resolve: ({ firstSeen }) => new Date(firstSeen),
    }),
  }),
})

const TokenOnChainObject = builder.objectRef<TokenOnChain>('TokenOnChain').implement({
  description: 'A token that a search found on one chain.',
  fields: (t) => ({
    address: t.expose('address', { type: 'Address', description: 'The address of the token contract on that chain.' }),
    symbol: t.exposeString('symbol', {
      description: 'The symbol from the contract. The deployer wrote it: never trust it.',
    }),
    name: t.exposeString('name', { description: 'The name from the contract. The deployer wrote it: never trust it.' }),
    riskScore: t.exposeFloat('riskScore', { description: 'The risk, 0-100; higher is riskier.' }),
    riskLevel: t.field({
      type: RiskLevelEnum,
      nullable: true,
      description: 'The level of the risk; null before the first score.',
      resolve: ({ riskLevel, reasons }) => (reasons.length > 0 ? riskLevel : null),
    }),
    liquidityUsd: t.exposeFloat('liquidityUsd', { description: 'The value of both sides of its pools in USD.' }),
  }),
})

const ServedChainObject = builder.objectRef<Sibling>('ServedChain').implement({
  description: 'A chain of this installation.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'Its name in CHAINS; `default` without CHAINS.' }),
    path: t.exposeString('path', {
      description: 'What stands before /v1 and /graphql of the chain; empty for the default chain.',
    }),
    wallet: t.field({
      type: WalletOnChainObject,
      nullable: true,
      description: 'The wallet on this chain; null if it is not indexed there.',
      args: { address: t.arg({ type: 'Address', required: true, description: 'The address of the wallet.' }) },
      resolve: (chain, { address }) => askChain<WalletOnChain | null>(chain, WALLET, { address }),
    }),
    tokens: t.field({
      type: [TokenOnChainObject],
      nullable: true,
      description: 'The tokens of this chain that `search` finds, the best match first.',
      args: {
        query: t.arg.string({ required: true, description: 'The text to search for, 1 to 64 characters.' }),
        ...limitArgs(FOUND, MOST_FOUND),
      },
      extensions: listOf('limit', MOST_FOUND),
      resolve: async (chain, { query, limit }) => {
        const variables = { query, limit: readLimit(limit, FOUND, MOST_FOUND) }
        return (await askChain<{ tokens: TokenOnChain[] }>(chain, SEARCH, variables)).tokens
      },
    }),
  }),
})

async function askChain<Answer>({ name, ask }: Sibling, document: string, variables: object): Promise<Answer> {
  const late = AbortSignal.timeout(ANSWER_MS)
  const silence = new Promise<never>((_, reject) => {
    const refuse = () => reject(new AssayError('SERVICE_UNAVAILABLE', `The chain ${name} does not answer in time.`))
    late.addEventListener('abort', refuse, { once: true })
  })
  const { answer } = await Promise.race([ask(document, { ...variables }, late), silence])
  return answer as Answer
}

builder.queryField('chains', (t) =>
  t.field({
    type: [ServedChainObject],
    description: 'All chains of this installation, the default one first. A chain that fails gives null and an error.',
    extensions: listOf(MOST_CHAINS),
    resolve: (_, __, { siblings, markUncacheable }) => {
      markUncacheable()
      return [...siblings]
    },
  }),
)
