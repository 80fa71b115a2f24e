// Whether an endpoint serves the chain that is indexed. Comes in: the chain's id; goes out: a fault while the endpoint does
// not say the same. It is asked before its first answer counts, and again after each failure: another node may have taken
// its place meanwhile.
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
  /** Null: it is the right chain; asked once for all who wait. */
  check(): Promise<RpcError | null>
  /** It failed: to be checked again before its next use. */
  doubt(): void
  /** The last thing that it said was another chain. */
  isForeign(): boolean
}

/** The identity of an endpoint; without a chain id any chain is right. */
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
    return new RpcError('foreign', `${endpoint.name} ${what}, not chain ${chainId}: nothing of it is used`)
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
    return id ?? new RpcError('lagging', `${endpoint.name}: eth_chainId gave no number`)
  } catch (error) {
    if (error instanceof RpcError) return error
    throw error
  }
}
