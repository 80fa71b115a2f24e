// The same questions in GraphQL, as we and as PostGraphile put them: a list, and a walk from tokens over holders to what these hold.
import type { Posted } from './compare.ts'

const PAGES = 20

interface Question {
  name: string
  goal: number
  ours: readonly Posted[]
  postgraphile: readonly Posted[]
}

const pages = (write: (page: number) => string): Posted[] =>
  Array.from({ length: PAGES }, (_, at) => ({ query: write(at + 1) }))

export const QUESTIONS: readonly Question[] = [
  {
    name: 'a list of 50 tokens',
    goal: 1.5,
    ours: pages(
      (page) =>
        `{ tokens(orderBy: [{ field: liquidity_usd }], offset: ${50 * (page - 1)}, first: 50) { total nodes { address symbol liquidityUsd riskScore riskFlags } } }`,
    ),
    postgraphile: pages(
      (page) =>
        `{ allTokens(orderBy: [LIQUIDITY_USD_DESC, ADDRESS_ASC], condition: { indexed: true }, first: 50, offset: ${50 * (page - 1)}) {
           totalCount nodes { address symbol liquidityUsd riskScore riskFlags } } }`,
    ),
  },
  {
    name: 'token, holders, wallet, portfolio',
    goal: 1.5,
    ours: pages(
      (page) =>
        `{ tokens(orderBy: [{ field: liquidity_usd }], offset: ${5 * (page - 1)}, first: 5) { nodes { address symbol
           topHolders { quantity wallet { address portfolio(limit: 5) { quantity tokenSymbol } } } } } }`,
    ),
    postgraphile: pages(
      (page) =>
        `{ allTokens(orderBy: [LIQUIDITY_USD_DESC, ADDRESS_ASC], condition: { indexed: true }, first: 5, offset: ${5 * (page - 1)}) {
           nodes { address symbol positionsByTokenId(orderBy: [BALANCE_DESC], first: 10) { nodes { balance
             walletByWalletId { address positionsByWalletId(orderBy: [BALANCE_DESC], first: 5) { nodes { balance tokenByTokenId { symbol } } } } } } } } }`,
    ),
  },
]
