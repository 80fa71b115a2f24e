// The frame around every page: header with search, the key, the footer with the newest block, and the routes.
import type { ComponentType } from 'preact'
import { LocationProvider, lazy, Route, Router, useRoute } from 'preact-iso'
import { key } from './api/key.ts'
import { SIGNUP_PATH, signupMode } from './api/signup.ts'
import { onChain, useChainLocation } from './chain.ts'
import { isAddress } from './is-address.ts'
import { NotFound } from './pages/not-found.tsx'
import { NotLoaded } from './pages/not-loaded.tsx'
import { TokensPage } from './pages/tokens.tsx'
import { Footer } from './parts/footer.tsx'
import { Header } from './parts/header.tsx'
import { KeyBox } from './parts/key-box.tsx'
import { Stale } from './parts/stale.tsx'

/** A page that cannot be loaded shows a note; otherwise the previous page would stay. */
const notLoaded = () => NotLoaded
const TokenPage = lazy(() => import('./pages/later.ts').then((module) => module.TokenPage).catch(notLoaded))
const WalletPage = lazy(() => import('./pages/later.ts').then((module) => module.WalletPage).catch(notLoaded))
const WalletsPage = lazy(() => import('./pages/later.ts').then((module) => module.WalletsPage).catch(notLoaded))
const AlertsPage = lazy(() => import('./pages/later.ts').then((module) => module.AlertsPage).catch(notLoaded))
const ComparePage = lazy(() => import('./pages/later.ts').then((module) => module.ComparePage).catch(notLoaded))
const AccountPage = lazy(() => import('./pages/later.ts').then((module) => module.AccountPage).catch(notLoaded))
const SignupPage = lazy(() => import('./pages/later.ts').then((module) => module.SignupPage).catch(notLoaded))
const StatusPage = lazy(() => import('./pages/later.ts').then((module) => module.StatusPage).catch(notLoaded))

/** After this time the pages are preloaded, so that they open while the server is away. */
const AHEAD_MS = 3_000
setTimeout(() => import('./pages/later.ts').catch(notLoaded), AHEAD_MS)

/** The page of an address on the chain; anything else leads nowhere. */
const ofAddress = (Page: ComponentType) => () => (isAddress(useRoute().params.address ?? '') ? <Page /> : <NotFound />)
const TokenRoute = ofAddress(TokenPage)
const WalletRoute = ofAddress(WalletPage)

/** The paths of this page; other links leave it. */
const OWN = new RegExp(
  `^${onChain('/')}(?:$|\\?|token/|wallet/|wallets(?:$|\\?)|compare(?:$|\\?)|alerts$|account$|signup$|status$)`,
)

export const App = () => (
  <LocationProvider scope={OWN}>
    <a class="skip" href="#main">
      Skip to the content
    </a>
    <Header />
    <Stale />
    <main id="main" tabIndex={-1}>
      <Pages />
    </main>
    <Footer />
  </LocationProvider>
)

/** Signing up needs no key; every other page does. */
function Pages() {
  const { path } = useChainLocation()
  if (key.value === null && path !== SIGNUP_PATH) return <KeyBox />
  return (
    <Router>
      <Route path={onChain('/')} component={TokensPage} />
      <Route path={onChain('/token/:address')} component={TokenRoute} />
      <Route path={onChain('/wallet/:address')} component={WalletRoute} />
      <Route path={onChain('/wallets')} component={WalletsPage} />
      <Route path={onChain('/alerts')} component={AlertsPage} />
      <Route path={onChain('/account')} component={AccountPage} />
      <Route path={onChain('/compare')} component={ComparePage} />
      <Route path={onChain('/status')} component={StatusPage} />
      <Route path={onChain(SIGNUP_PATH)} component={signupMode === null ? NotFound : SignupPage} />
      <Route default component={NotFound} />
    </Router>
  )
}
