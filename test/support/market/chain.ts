// Acts on anvil for the market: send as any account, deploy, call, mine. It counts nonces itself, so that the caller
// decides the order of transactions.
import {
  type Abi,
  type Address,
  decodeFunctionResult,
  encodeDeployData,
  encodeFunctionData,
  getContractAddress,
} from 'viem'
import type { Anvil } from '../anvil.ts'
import { type ArtifactName, artifacts } from '../contracts/artifacts.ts'

interface Call {
  to: Address
  abi: Abi
  name: string
  args?: readonly unknown[]
}

export interface MarketChain {
  rpc: Anvil['rpc']
  /** Queues a call for the next block; returns the transaction's hash. */
  send(from: Address, call: Call, value?: bigint): Promise<string>
  /** Queues a transfer of the native coin, to an account or to a contract that takes it. */
  pay(from: Address, to: Address, value: bigint): Promise<string>
  /** Queues a deployment; returns the contract's future address. */
  deploy(from: Address, name: ArtifactName, args?: readonly unknown[]): Promise<Address>
  /** Calls a view function at the newest block. */
  ask<T>(call: Call): Promise<T>
  balanceOf(holder: Address): Promise<bigint>
  /** The number of transactions that wait for the next block. */
  waiting(): number
  /** Mines the waiting transactions; failed ones are kept in `failures`. */
  mine(timestamp: number): Promise<void>
  /** Call it after a rollback of the chain: nonces are then read again. */
  forget(): void
  /** Transactions that reverted, such as sales into a pool that was just emptied. */
  failures: string[]
}

const GAS = { deploy: 8_000_000, call: 7_000_000, pay: 50_000 }
const hex = (value: number | bigint) => `0x${value.toString(16)}`

export function createMarketChain(rpc: Anvil['rpc']): MarketChain {
  const nonces = new Map<string, number>()
  const failures: string[] = []
  let waiting: { hash: string; what: string }[] = []

  const nonceOf = async (who: Address) =>
    nonces.get(who) ?? Number(await rpc<string>('eth_getTransactionCount', [who, 'latest']))

  async function submit(from: Address, what: string, gas: number, fields: Record<string, string>): Promise<string> {
    const nonce = await nonceOf(from)
    nonces.set(from, nonce + 1)
    const transaction = { from, nonce: hex(nonce), gas: hex(gas), gasPrice: '0x0', ...fields }
    const hash = await rpc<string>('eth_sendTransaction', [transaction])
    waiting.push({ hash, what: `${what} by ${from}` })
    return hash
  }

  return {
    rpc,
    failures,
    forget: () => nonces.clear(),
    waiting: () => waiting.length,
    send: (from, { to, abi, name, args = [] }, value = 0n) =>
      submit(from, `${name} at ${to}`, GAS.call, {
        to,
        value: hex(value),
        data: encodeFunctionData({ abi, functionName: name, args }),
      }),
    pay: (from, to, value) => submit(from, `payment to ${to}`, GAS.pay, { to, value: hex(value) }),
    deploy: async (from, name, args = []) => {
      const address = getContractAddress({ from, nonce: BigInt(await nonceOf(from)) })
      await submit(from, `deployment of ${name}`, GAS.deploy, { data: encodeDeployData({ ...artifacts[name], args }) })
      return address.toLowerCase() as Address
    },
    ask: async <T>({ to, abi, name, args = [] }: Call) => {
      const data = await rpc<Address>('eth_call', [
        { to, data: encodeFunctionData({ abi, functionName: name, args }) },
        'latest',
      ])
      return decodeFunctionResult({ abi, functionName: name, args, data }) as T
    },
    balanceOf: async (holder) => BigInt(await rpc<string>('eth_getBalance', [holder, 'latest'])),
    mine: async (timestamp) => {
      const sent = waiting
      waiting = []
      await rpc('evm_mine', [{ timestamp }])
      if (sent.length === 0) return
      const receipts = await rpc<{ transactionHash: string; status: string }[]>('eth_getBlockReceipts', ['latest'])
      const status = new Map(receipts.map((receipt) => [receipt.transactionHash, receipt.status]))
      for (const { hash, what } of sent)
        if (status.get(hash) !== '0x1') failures.push(`${what} (${status.get(hash) ?? 'not mined'})`)
    },
  }
}
