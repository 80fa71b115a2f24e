// The other wallets that the funder of a token's deployer funded first, in lines.
import { whole } from '../format.ts'
import { danger, type Line, plain } from './line.ts'

export function tellKin(tokens: number, pulled: number): Line[] {
  if (tokens === 0) return []
  const made = `${whole(tokens)} earlier ${tokens === 1 ? 'token' : 'tokens'}`
  return pulled > 0
    ? [danger(`Wallets with its funder pulled ${whole(pulled)} of their ${made}.`)]
    : [plain(`Wallets with its funder pulled none of their ${made}.`)]
}
