// The frame around every page: header with search, the key, the footer with the newest block, and the routes.
import { LocationProvider, lazy, Route, Router } from 'preact-iso'
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
          <Route path="/token/:address" component={TokenPage} />
          <Route path="/wallet/:address" component={WalletPage} />
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
