// Limits on the shape of a query, whatever it costs. graphql-armor's rules, with an HTTP status and a code of ours.
import { maxAliasesRule } from '@escape.tech/graphql-armor-max-aliases'
import { maxDepthRule } from '@escape.tech/graphql-armor-max-depth'
import { maxDirectivesRule } from '@escape.tech/graphql-armor-max-directives'
import { MaxTokensParserWLexer } from '@escape.tech/graphql-armor-max-tokens'
import type { GraphQLError, ValidationContext } from 'graphql'
import type { Plugin } from 'graphql-yoga'
import { refuse } from './errors.ts'

/** Levels of fields: a token's holders' wallets' portfolios' tokens' scores down to an explanation's inputs take 12. */
const MAX_DEPTH = 15
/** More than a dashboard's page needs of one kind. */
const MAX_ALIASES = 30
const MAX_DIRECTIVES = 30
/** The introspection query of GraphiQL takes about 400. */
const MAX_TOKENS = 2_000

/** Says what the limit is, without "Syntax Error: ". */
const wordsOf = (error: GraphQLError) => error.message.replace('Syntax Error: ', '')

const RULE = {
  propagateOnRejection: false,
  onReject: [(context: ValidationContext | null, error: GraphQLError) => context?.reportError(refuse(wordsOf(error)))],
}

const TOKENS = {
  n: MAX_TOKENS,
  onReject: [
    (_: unknown, error: GraphQLError) => {
      throw refuse(wordsOf(error))
    },
  ],
}

/** The plugin of the limits. */
export const limitShape = (): Plugin => ({
  onParse: ({ setParseFn }) => {
    setParseFn((source, options) => new MaxTokensParserWLexer(source, { ...options, ...TOKENS }).parseDocument())
  },
  onValidate: ({ addValidationRule }) => {
    addValidationRule(maxDepthRule({ ...RULE, n: MAX_DEPTH }))
    addValidationRule(maxAliasesRule({ ...RULE, n: MAX_ALIASES }))
    addValidationRule(maxDirectivesRule({ ...RULE, n: MAX_DIRECTIVES }))
  },
})
