// Bounds on a query's text, checked before and right after it is parsed.
import { type DocumentNode, Lexer, type ParseOptions, parse, Source, TokenKind, visit } from 'graphql'
import { refuse } from '../errors.ts'

/** GraphiQL's introspection query has about 400. */
const MAX_TOKENS = 2_000
/** More than the page of a dashboard needs. */
const MAX_ALIASES = 60
const MAX_DIRECTIVES = 30

/** Parses a query within the bounds. */
export function parseWithin(source: string | Source, options?: ParseOptions): DocumentNode {
  countTokens(typeof source === 'string' ? new Source(source) : source)
  const document = parse(source, options)
  let aliases = 0
  let directives = 0
  visit(document, {
    Field: ({ alias }) => {
      if (alias) aliases += 1
    },
    Directive: () => {
      directives += 1
    },
  })
  if (aliases > MAX_ALIASES) throw refuse(`The query has ${aliases} aliases, and ${MAX_ALIASES} are the most.`)
  if (directives > MAX_DIRECTIVES) {
    throw refuse(`The query has ${directives} directives, and ${MAX_DIRECTIVES} are the most.`)
  }
  return document
}

/** Counts tokens before graphql-js parses them, because the error of its own limit looks like a syntax error. */
function countTokens(source: Source): void {
  const lexer = new Lexer(source)
  for (let tokens = 0; lexer.advance().kind !== TokenKind.EOF; tokens += 1) {
    if (tokens >= MAX_TOKENS) throw refuse(`The query has more than ${MAX_TOKENS} tokens: split it.`)
  }
}
