// The pages that are loaded after the first one, as one file. With a file each, their shared code would be split into a
// dozen pieces, and the first screen would wait for all of them.
export { AccountPage } from './account.tsx'
export { AlertsPage } from './alerts.tsx'
export { ComparePage } from './compare.tsx'
export { SignupPage } from './signup.tsx'
export { StatusPage } from './status.tsx'
export { TokenPage } from './token.tsx'
export { WalletPage } from './wallet.tsx'
export { WalletsPage } from './wallets.tsx'
