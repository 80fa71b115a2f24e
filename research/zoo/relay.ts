// Transfers that their holder signs and another account hands in. Input: a stage with the token `Relayed`. Output: an
// authorization of EIP-3009 and a meta-transaction, both sent by the deployer, whom that holder never approved.
import { encodeFunctionData, keccak256, parseSignature, stringToHex, zeroHash } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { toAddress } from '../../src/base/address.ts'
import { contractOf, type Stage } from './stage.ts'

const holder = privateKeyToAccount(keccak256(stringToHex('a holder that signs')))
const AMOUNT = 10n ** 18n
const FOREVER = 2n ** 64n

const AUTHORIZATION = [
  { name: 'from', type: 'address' },
  { name: 'to', type: 'address' },
  { name: 'value', type: 'uint256' },
  { name: 'validAfter', type: 'uint256' },
  { name: 'validBefore', type: 'uint256' },
  { name: 'nonce', type: 'bytes32' },
]
const META = [
  { name: 'nonce', type: 'uint256' },
  { name: 'from', type: 'address' },
  { name: 'functionSignature', type: 'bytes' },
]

export async function relay({ world, act, deployer, buyers, token }: Stage): Promise<void> {
  const [giver = deployer] = buyers
  const from = toAddress(holder.address)
  const chainId = Number(await world.anvil.rpc('eth_chainId'))
  const sign = async (primaryType: string, type: typeof META, message: Record<string, unknown>) => {
    const domain = { chainId, verifyingContract: token }
    const { r, s, yParity } = parseSignature(
      await holder.signTypedData({ domain, types: { [primaryType]: type }, primaryType, message }),
    )
    return { r, s, v: 27 + yParity }
  }
  await act(giver, 'Relayed', 'transfer', [from, 2n * AMOUNT])
  await world.mine()
  const order = { from, to: deployer, value: AMOUNT, validAfter: 0n, validBefore: FOREVER, nonce: zeroHash }
  const { r, s, v } = await sign('TransferWithAuthorization', AUTHORIZATION, order)
  await act(deployer, 'Relayed', 'transferWithAuthorization', [...Object.values(order), v, r, s])
  const { abi } = contractOf('Relayed')
  const data = encodeFunctionData({ abi, functionName: 'transfer', args: [deployer, AMOUNT] })
  const meta = await sign('MetaTransaction', META, { nonce: 0n, from, functionSignature: data })
  await act(deployer, 'Relayed', 'executeMetaTransaction', [from, data, meta.r, meta.s, meta.v])
}
