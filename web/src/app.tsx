// The frame around every page: header with search, the key, the footer with the newest block, and the routes.
import type { ComponentType } from 'preact'
import { LocationProvider, lazy, Route, Router, useRoute } from 'preact-iso'
import { key } from './api/key.ts'
import { NotFound } from './pages/not-found.tsx'
import { TokensPage } from './pages/tokens.tsx'
import { Footer } from './parts/footer.tsx'
import { Header } from './parts/header.tsx'
import { KeyBox } from './parts/key-box.tsx'

const TokenPage = lazy(() => import('./pages/later.ts').then((module) => module.TokenPage))
const WalletPage = lazy(() => import('./pages/later.ts').then((module) => module.WalletPage))
const WalletsPage = lazy(() => import('./pages/later.ts').then((module) => module.WalletsPage))
const AlertsPage = lazy(() => import('./pages/later.ts').then((module) => module.AlertsPage))
const StatusPage = lazy(() => import('./pages/later.ts').then((module) => module.StatusPage))

/** A page of an address on the chain; what is none leads nowhere. */
const ofAddress = (Page: ComponentType) => () =>
  /^0x[0-9a-f]{40}$/i.test(useRoute().params.address ?? '') ? <Page /> : <NotFound />
const TokenRoute = ofAddress(TokenPage)
const WalletRoute = ofAddress(WalletPage)

/** The addresses that are this page's; other links leave it. */
const OWN = /^\/(?:$|\?|token\/|wallet\/|wallets(?:$|\?)|alerts$|status$)/

export const App = () => (
  <LocationProvider scope={OWN}>
    <a class="skip" href="#main">
      Skip to the content
    </a>
    <Header />
    <main id="main" tabIndex={-1}>
      {key.value === null && <KeyBox />}
      {key.value !== null && (
        <Router>
          <Route path="/" component={TokensPage} />
          <Route path="/token/:address" component={TokenRoute} />
          <Route path="/wallet/:address" component={WalletRoute} />
          <Route path="/wallets" component={WalletsPage} />
          <Route path="/alerts" component={AlertsPage} />
          <Route path="/status" component={StatusPage} />
          <Route default component={NotFound} />
        </Router>
      )}
    </main>
    <Footer />
  </LocationProvider>
)
