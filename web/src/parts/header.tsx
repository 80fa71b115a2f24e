import { useLocation } from 'preact-iso'
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
  const { path } = useLocation()
  return (
    <header class="top">
      <a class="brand" href="/">
        Assay
      </a>
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
