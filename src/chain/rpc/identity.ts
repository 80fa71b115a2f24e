// Checks that an endpoint serves the indexed chain. Input: the chain id. Output: a fault until the endpoint names that
// id. The check precedes the endpoint's first answer, and repeats after each failure, because another node may have
// taken its place.
import { readNumber } from '../raw.ts'
import { type Call, type Endpoint, isAnswered } from './endpoint.ts'
import { isPassing, RpcError } from './error.ts'

/** The question for the chain's id. */
export const GET_CHAIN_ID: Call = {
  method: 'eth_chainId',
  params: [],
  accept: (result) => readNumber(result) !== null,
}

export interface Identity {
  /** Null if the endpoint serves the right chain; concurrent callers share one request. */
  check(): Promise<RpcError | null>
  /** The endpoint failed, so it is checked again before its next use. */
  doubt(): void
}

/** Checks the endpoint; without a chain id every chain passes. */
export function createIdentity(endpoint: Endpoint, chainId: number | undefined, signal?: AbortSignal): Identity {
  let checking: Promise<RpcError | null> | null = null

  async function check(): Promise<RpcError | null> {
    const said = await readId(endpoint, signal)
    if (said === chainId) return null
    checking = null
    if (!(said instanceof RpcError))
      return new RpcError(
        'foreign',
        `${endpoint.name} serves chain ${said}; the indexed chain is ${chainId}, so it is not used`,
      )
    // Only a number that can be read names another chain: anything else passes.
    if (said.kind !== 'lagging' && isPassing(said)) return said
    return new RpcError('transient', `${endpoint.name} does not say which chain it serves (${said.message})`)
  }

  return {
    async check() {
      if (chainId === undefined) return null
      checking ??= check()
      return checking
    },
    doubt: () => {
      checking = null
    },
  }
}

async function readId(endpoint: Endpoint, signal: AbortSignal | undefined): Promise<number | RpcError> {
  try {
    const [answer] = await endpoint.send([GET_CHAIN_ID], signal)
    if (answer?.error) return answer.error
    const id = answer && isAnswered(answer) ? readNumber(answer.result) : null
    return id ?? new RpcError('lagging', `${endpoint.name}: eth_chainId returned no number`)
  } catch (error) {
    if (error instanceof RpcError && error.kind !== 'aborted') return error
    throw error
  }
}
