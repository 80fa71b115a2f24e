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
  /** Whether the last check found another chain. */
  isForeign(): boolean
}

/** Checks the endpoint; without a chain id every chain passes. */
export function createIdentity(endpoint: Endpoint, chainId: number | undefined, signal?: AbortSignal): Identity {
  let checking: Promise<RpcError | null> | null = null
  let foreign = false

  async function check(): Promise<RpcError | null> {
    const said = await readId(endpoint, signal)
    if (said === chainId) {
      foreign = false
      return null
    }
    checking = null
    if (said instanceof RpcError && isPassing(said)) return said
    foreign = true
    const what =
      said instanceof RpcError ? `does not say which chain it serves (${said.message})` : `serves chain ${said}`
    return new RpcError('foreign', `${endpoint.name} ${what}; the indexed chain is ${chainId}, so it is not used`)
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
    isForeign: () => foreign,
  }
}

async function readId(endpoint: Endpoint, signal: AbortSignal | undefined): Promise<number | RpcError> {
  try {
    const [answer] = await endpoint.send([GET_CHAIN_ID], signal)
    if (answer?.error) return answer.error
    const id = answer && isAnswered(answer) ? readNumber(answer.result) : null
    return id ?? new RpcError('lagging', `${endpoint.name}: eth_chainId returned no number`)
  } catch (error) {
    if (error instanceof RpcError) return error
    throw error
  }
}
