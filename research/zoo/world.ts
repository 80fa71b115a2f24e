// A live EVM with exchanges for the zoo. Input: actions. Output: a chain on which they happened. Actions wait for `mine`, which puts all
// that wait into one block.
import {
  type Abi,
  encodeAbiParameters,
  encodeDeployData,
  encodeFunctionData,
  getContractAddress,
  keccak256,
} from 'viem'
import { type Address, toAddress } from '../../src/base/address.ts'
import type { TargetBlock } from '../../src/safety/target.ts'
import { type Anvil, startAnvil } from '../../test/support/anvil.ts'
import { artifacts } from '../../test/support/contracts/artifacts.ts'
import type { Compiled } from './compile.ts'

type Hex = `0x${string}`

export interface Exchanges {
  weth: Address
  /** Six decimals; anybody mints. */
  usd: Address
  v2Factory: Address
  v2Router: Address
  v3Factory: Address
  v3Router: Address
  v3Positions: Address
}

export interface World extends Exchanges {
  anvil: Anvil
  /** Queues a deployment; returns the future address. */
  deploy(
    from: Address,
    contract: Pick<Compiled, 'abi'> & { creation: Hex },
    args?: readonly unknown[],
  ): Promise<Address>
  /** Queues a call. */
  send(from: Address, to: Address, abi: Abi, name: string, args?: readonly unknown[], value?: bigint): Promise<void>
  /** Queues a call with data as it is. */
  sendData(from: Address, to: Address, data: Hex, value?: bigint): Promise<void>
  ask<T>(to: Address, signature: string, ...args: unknown[]): Promise<T>
  /** Mines all that waits; throws where one failed, unless `mayFail`. */
  mine(seconds?: number, mayFail?: boolean): Promise<void>
  /** The newest block, as the ledger would have it. */
  newest(): Promise<TargetBlock>
  /** Gives native coins. */
  fund(...accounts: Address[]): Promise<void>
  stop(): Promise<void>
}

export const ether = (amount: number): bigint => BigInt(Math.round(amount * 1e6)) * 10n ** 12n
export const accountOf = (label: string): Address =>
  toAddress(keccak256(encodeAbiParameters([{ type: 'string' }], [label])).slice(0, 42))

const quantity = (value: bigint | number): Hex => `0x${value.toString(16)}`
const GAS = quantity(12_000_000)
const START = 1_760_000_000
export const FOUNDER = accountOf('founder of the zoo')

/** Starts anvil and deploys wrapped coin, stablecoin, and the exchanges' own contracts. */
export async function createWorld(chainId = 31_337): Promise<World> {
  const anvil = await startAnvil({
    ...{ timestamp: START, noMining: true, chainId },
    arguments: ['--disable-code-size-limit'],
  })
  const nonces = new Map<Address, number>()
  let waiting: string[] = []
  let time = START

  async function submit(from: Address, fields: Record<string, unknown>): Promise<void> {
    const nonce = nonces.get(from) ?? 0
    nonces.set(from, nonce + 1)
    const transaction = { from, nonce: quantity(nonce), gas: GAS, gasPrice: '0x0', ...fields }
    waiting.push(await anvil.rpc<string>('eth_sendTransaction', [transaction]))
  }
  const sendData: World['sendData'] = (from, to, data, value = 0n) => submit(from, { to, data, value: quantity(value) })

  const world: Omit<World, keyof Exchanges> = {
    anvil,
    sendData,
    stop: () => anvil.stop(),
    async deploy(from, { abi, creation }, args = []) {
      const address = getContractAddress({ from, nonce: BigInt(nonces.get(from) ?? 0) })
      await submit(from, { data: encodeDeployData({ abi, bytecode: creation, args: [...args] }) })
      return toAddress(address)
    },
    send: (from, to, abi, name, args = [], value = 0n) =>
      sendData(from, to, encodeFunctionData({ abi, functionName: name, args: [...args] }), value),
    async ask<T>(to: Address, signature: string, ...args: unknown[]) {
      const { parseAbi, decodeFunctionResult } = await import('viem')
      const abi = parseAbi([signature] as never) as Abi
      const name = /function (\w+)/.exec(signature)?.[1] ?? ''
      const data = await anvil.rpc<Hex>('eth_call', [
        { to, data: encodeFunctionData({ abi, functionName: name, args }) },
        'latest',
      ])
      return decodeFunctionResult({ abi, functionName: name, data }) as T
    },
    async mine(seconds = 12, mayFail = false) {
      const sent = waiting
      waiting = []
      time += seconds
      await anvil.rpc('evm_mine', [{ timestamp: time }])
      const receipts = await anvil.rpc<{ transactionHash: string; status: string }[]>('eth_getBlockReceipts', [
        'latest',
      ])
      const done = new Map(receipts.map(({ transactionHash, status }) => [transactionHash, status]))
      const failed = sent.flatMap((hash, at) => (done.get(hash) === '0x1' ? [] : [at]))
      if (failed.length > 0 && !mayFail) throw new Error(`of ${sent.length} transactions failed: ${failed.join(', ')}`)
    },
    async newest() {
      const { number, hash } = await anvil.rpc<{ number: string; hash: Hex }>('eth_getBlockByNumber', ['latest', false])
      return { number: Number(number), hash, finalized: Number(number) }
    },
    async fund(...accounts) {
      await Promise.all(accounts.map((each) => anvil.rpc('anvil_setBalance', [each, quantity(ether(100_000))])))
    },
  }
  await world.fund(FOUNDER)
  // A contract could tell a simulated block by its missing proposer.
  await anvil.rpc('anvil_setCoinbase', [accountOf('proposer')])
  return { ...world, ...(await deployExchanges(world)) }
}

const creationOf = ({ abi, bytecode }: { abi: Abi; bytecode: Hex }) => ({ abi, creation: bytecode })

async function deployExchanges({ deploy, mine }: Pick<World, 'deploy' | 'mine'>): Promise<Exchanges> {
  const make = (artifact: { abi: Abi; bytecode: Hex }, ...args: unknown[]) =>
    deploy(FOUNDER, creationOf(artifact), args)
  const weth = await make(artifacts.weth)
  const usd = await make(artifacts.faucetToken, 'Zoo Dollar', 'zUSD', 6)
  const v2Factory = await make(artifacts.v2Factory, FOUNDER)
  const v2Router = await make(artifacts.v2Router, v2Factory, weth)
  const v3Factory = await make(artifacts.v3Factory)
  const v3Router = await make(artifacts.v3Router, v3Factory, weth)
  const v3Positions = await make(artifacts.v3Positions, v3Factory, weth, weth)
  await mine()
  return { weth, usd, v2Factory, v2Router, v3Factory, v3Router, v3Positions }
}
