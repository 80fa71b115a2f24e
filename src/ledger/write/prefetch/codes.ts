// Asks the chain for the code of called addresses that their logs name too. Each may be an account: one that delegates to
// code (EIP-7702), or an account contract. An address is asked about at the block that first calls it, until one answers.
import type { Address } from '../../../base/address.ts'
import type { Scan } from '../../../book/logs/scan.ts'
import { own } from '../../../book/rows/new-rows.ts'
import type { RowStore } from '../../../book/rows/row-store.ts'
import type { Learnt } from '../../../book/rows/working-set.ts'
import { askByBlock, type ChainSources } from './chain.ts'

/** Reads whether they are accounts. */
export async function prefetchCodes(
  { store, reader }: Pick<ChainSources, 'store' | 'reader'>,
  { called, tokens, pools, announced }: Scan,
): Promise<Learnt['codes']> {
  const found: Learnt['codes'] = new Map()
  const isOpen = (address: Address) =>
    !tokens.has(address) && !pools.has(address) && !announced.has(address) && isUnknown(store, address)
  let open = [...called].filter(([address]) => isOpen(address))
  for (let nth = 0; open.length > 0; nth += 1) {
    const blocks = new Map(open.map(([address, asked]) => [address, asked[nth] ?? 0]))
    const blockOf = (address: Address) => blocks.get(address) ?? 0
    const told = await askByBlock([...blocks.keys()], blockOf, reader.readAccounts)
    for (const [address, isAccount] of told)
      if (isAccount !== null) found.set(own(address), { block: blockOf(address), isAccount })
    open = open.filter(([address, asked]) => asked.length > nth + 1 && !found.has(address))
  }
  return found
}

/** Whether nothing has told what the address is. */
function isUnknown(store: RowStore, address: Address): boolean {
  const wallet = store.wallets.find(address)
  if (!wallet) return store.tokens.find(address) === undefined
  return wallet.signed === null && (wallet.kind === 'account' || wallet.kind === 'contract')
}
