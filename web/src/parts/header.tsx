import { CHAINS, useChainLocation } from '../chain.ts'
import { KeyButton } from './key-button.tsx'
import { SearchBox } from './search-box.tsx'

const PAGES = [
  ['/', 'Tokens'],
  ['/wallets', 'Wallets'],
  ['/alerts', 'Alerts'],
  ['/account', 'Account'],
  ['/status', 'Status'],
] as const

export function Header() {
  const { path } = useChainLocation()
  return (
    <header class="top">
      <a class="brand" href="/">
        Assay
      </a>
      {CHAINS.length > 1 && (
        <nav class="chains" aria-label="Chains">
          {CHAINS.map(({ name, path: to, isThis }) => (
            // The whole address leaves this page: the other chain has its own.
            <a key={name} href={`${location.origin}${to}/`} target="_self" aria-current={isThis ? 'true' : undefined}>
              {name}
            </a>
          ))}
        </nav>
      )}
      <nav aria-label="Pages">
        {PAGES.map(([href, name]) => (
          <a key={href} href={href} aria-current={path === href ? 'page' : undefined}>
            {name}
          </a>
        ))}
        <a href="/graphql" target="_self">
          GraphiQL
        </a>
        <KeyButton />
      </nav>
      <SearchBox />
    </header>
  )
}
