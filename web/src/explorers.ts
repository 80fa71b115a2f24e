// The explorers of chains, for links that leave the page. A chain that is not here has no links.

/** By the id of the chain. All have the same paths. */
const EXPLORERS: Readonly<Record<number, string>> = {
  1: 'https://etherscan.io',
  10: 'https://optimistic.etherscan.io',
  56: 'https://bscscan.com',
  137: 'https://polygonscan.com',
  8453: 'https://basescan.org',
  42161: 'https://arbiscan.io',
  59144: 'https://lineascan.build',
}

export type Subject = 'address' | 'token' | 'tx'

/** The explorer's page of an address, a token or a transaction; null: the chain has none here, or the text is no hash. */
export function explorerOf(chainId: number | undefined, subject: Subject, hash: string): string | null {
  const base = chainId === undefined ? undefined : EXPLORERS[chainId]
  return base !== undefined && /^0x[0-9a-f]{40,64}$/i.test(hash) ? `${base}/${subject}/${hash}` : null
}
