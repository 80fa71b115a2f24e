// Generates a chain of any length from a seed. It has one WETH, one stablecoin, Uniswap V2 pairs launched over time,
// and buys, sells and transfers with consistent balances and reserves. Input: the number of logs. Output: files from
// which the server reads slices.
import { closeSync, mkdirSync, openSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { createChainState } from './chain-state.ts'
import { createEncoder } from './encode.ts'

export interface GeneratedChain {
  chainId: number
  logs: number
  blocks: number
  /** The preset to index it with. */
  preset: Record<string, unknown>
  tokens: Record<string, { name: string; symbol: string; decimals: number }>
}

export const CHAIN_ID = 727_391
/** Approximate logs per block: a busy block of a main network. */
const LOGS_PER_BLOCK = 200
/** Bytes to collect before they are written. */
const CHUNK = 8 * 2 ** 20

/**
 * Writes blocks.bin, logs.bin, their offsets and chain.json into the folder. `isManaged`: half of the logs are of a
 * manager of pools.
 */
export function generateChain(
  folder: string,
  logs: number,
  seed = 1,
  blockSeconds?: number,
  isManaged = false,
  logsPerBlock = LOGS_PER_BLOCK,
): GeneratedChain {
  mkdirSync(folder, { recursive: true })
  const encoder = createEncoder(blockSeconds)
  const state = createChainState(seed, isManaged)
  const blockFile = createSliceFile(join(folder, 'blocks'))
  const logFile = createSliceFile(join(folder, 'logs'))
  let written = 0
  let number = 0
  for (; written < logs; number++) {
    const transactions = number === 0 ? [] : state.nextBlock(logsPerBlock)
    const block = encoder.encode(number, transactions)
    blockFile.add(block.json)
    logFile.add(block.logs)
    written += block.count
  }
  blockFile.close()
  logFile.close()
  const chain = {
    chainId: CHAIN_ID,
    logs: written,
    blocks: number,
    preset: state.preset(CHAIN_ID),
    tokens: state.tokens(),
  }
  writeFileSync(join(folder, 'chain.json'), JSON.stringify(chain))
  return chain
}

/** A file of consecutive texts, with the offset of each. */
function createSliceFile(path: string) {
  const file = openSync(`${path}.bin`, 'w')
  const offsets: number[] = [0]
  let at = 0
  let pending: string[] = []
  let pendingLength = 0
  const flush = () => {
    writeSync(file, pending.join(''), null, 'latin1')
    pending = []
    pendingLength = 0
  }
  return {
    add(text: string): void {
      pending.push(text)
      pendingLength += text.length
      at += text.length
      offsets.push(at)
      if (pendingLength > CHUNK) flush()
    },
    close(): void {
      flush()
      closeSync(file)
      writeFileSync(`${path}.offsets`, new Uint8Array(new Float64Array(offsets).buffer))
    },
  }
}
