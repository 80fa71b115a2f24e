// What a reader does with an address: copy it, or look at it in the chain's explorer.
import { CopyButton } from './copy-button.tsx'
import { ExplorerLink } from './explorer-link.tsx'

export const AddressTools = ({ address, explorer }: { address: string; explorer: string | null }) => (
  <>
    <CopyButton text={address} what="the address" />
    {explorer !== null && <ExplorerLink to={explorer}>Explorer</ExplorerLink>}
  </>
)
