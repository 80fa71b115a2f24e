// The pages that are loaded after the first one, as one file: a file each would cut what they share into a dozen pieces, all
// of which the first screen would wait for.
export { AlertsPage } from './alerts.tsx'
export { StatusPage } from './status.tsx'
export { TokenPage } from './token.tsx'
export { WalletPage } from './wallet.tsx'
export { WalletsPage } from './wallets.tsx'
