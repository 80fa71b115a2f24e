import { foreign, shortAddress } from '../format.ts'

interface AddressLinkProps {
  address: string
  to?: 'wallet' | 'token'
}

export const AddressLink = ({ address, to = 'wallet' }: AddressLinkProps) => (
  <a class="address" href={`/${to}/${address}`} title={address}>
    {shortAddress(address)}
  </a>
)

/** A name that a stranger chose, kept apart from the text around it. */
export const Foreign = ({ text, most }: { text: string; most?: number }) => (
  <bdi dir="auto" lang="">
    {foreign(text, most)}
  </bdi>
)

export const TokenLink = ({ address, symbol }: { address: string; symbol: string }) => (
  <a class="symbol" href={`/token/${address}`} title={address}>
    <Foreign text={symbol} most={16} />
  </a>
)
