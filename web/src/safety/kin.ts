// The other wallets that the funder of a token's deployer funded first, in lines.
import { countOf } from '../../../src/words/numbers.ts'
import { whole } from '../format.ts'
import { type Line, plain } from './line.ts'

export const tellKin = (tokens: number, pulled: number): Line[] =>
  tokens === 0
    ? []
    : [
        plain(
          `Wallets with its funder pulled ${pulled > 0 ? whole(pulled) : 'none'} of their ${countOf(tokens, 'earlier token')}.`,
        ),
      ]
