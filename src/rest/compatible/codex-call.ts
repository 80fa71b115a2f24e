// What every answered call of Codex has in common: our document, its variables, and values in their names and forms.
import { parseAddress } from '../../base/address.ts'
import { AssayError, invalid } from '../../base/errors.ts'
import type { AskGraph } from '../../graph/run/ask.ts'

export type Args = Record<string, unknown>

interface ForeignCall<Answer> {
  document: string
  /** Throws INVALID_PARAMS for arguments that the call does not take. */
  toVariables(args: Args): Record<string, unknown>
  /** The chains that the arguments name. */
  networks(args: Args): unknown[]
  /** The value in their names; undefined: the token is not indexed. */
  shape(answer: Answer, args: Args): unknown
}

/** Answers a call. Throws INVALID_PARAMS for its arguments, and NOT_FOUND for a token that is not indexed. */
export type AnswerCall = (args: Args, asker: { ask: AskGraph; admission: Parameters<AskGraph>[2] }) => Promise<unknown>

export function answers<Answer extends object>(call: ForeignCall<Answer>): AnswerCall {
  return async (args, { ask, admission }) => {
    const variables = call.toVariables(args)
    const answer = await ask<Answer & { chain: { chainId: number } | null }>(call.document, variables, admission)
    const foreign = call.networks(args).find((network) => network !== answer.chain?.chainId)
    if (foreign !== undefined)
      throw refuseArgument(
        'networkId',
        `${String(foreign).slice(0, 20)} is not indexed here; ${answer.chain?.chainId ?? 'none'} is`,
      )
    const value = call.shape(answer, args)
    if (value === undefined) throw new AssayError('NOT_FOUND', 'This token is not indexed.')
    return value
  }
}

export const refuseArgument = (field: string, message: string) =>
  invalid([{ location: 'body', field, message: `${field} ${message}` }])

export function readTokenAddress(field: string, value: unknown): string {
  const address = parseAddress(String(value))
  if (!address) throw refuseArgument(field, 'must be 0x and 40 hex digits')
  return address
}

export const given = (value: number | null): string | null => (value === null ? null : String(value))
export const toUnixSeconds = (time: string | null): number | null =>
  time === null ? null : Math.floor(Date.parse(time) / 1_000)

export interface Described {
  address: string
  name: string
  symbol: string
  decimals: number | null
  supply: number | null
  circulatingSupply: number | null
  createdBlock: number
  createdAt: string
  deployer: { address: string } | null
}

export const TOKEN = 'address name symbol decimals supply circulatingSupply createdBlock createdAt deployer { address }'

export function toToken(token: Described, networkId: unknown) {
  const { address, name, symbol } = token
  const own = {
    id: `${address}:${networkId}`,
    address,
    networkId,
    name,
    symbol,
    totalSupply: given(token.supply),
    circulatingSupply: given(token.circulatingSupply),
  }
  return {
    ...own,
    info: own,
    decimals: token.decimals,
    creatorAddress: token.deployer?.address ?? null,
    createBlockNumber: token.createdBlock,
    createdAt: toUnixSeconds(token.createdAt),
  }
}
