// The descriptions of the API, by path: for programs, for people, for agents.
import type { ChainPaths } from '../base/chains.ts'
import { KEYS_PATH, type PublicKey } from '../gate/sign.ts'
import type { PublicPage } from '../rest/page/public-pages.ts'
import { printLlms } from './llms.ts'
import { printOpenApi } from './openapi.ts'
import { REFERENCE } from './reference.ts'
import { SECURITY_PATH, type SecurityOptions, securityPage } from './security.ts'

const describe = (chains?: ChainPaths): Readonly<Record<string, PublicPage>> => ({
  '/openapi.json': {
    type: 'application/json',
    isOfOrigin: true,
    read: async (origin) => printOpenApi({ chains, origin }),
  },
  '/llms.txt': { type: 'text/plain', read: async () => printLlms() },
  ...REFERENCE,
})

/** Those of an installation with one chain. */
export const PAGES = describe()

interface PagesOptions extends Omit<SecurityOptions, 'contact'> {
  /** Undefined: there is no security.txt. */
  contact?: string | undefined
  /** The public keys of signed answers. */
  keys?: readonly PublicKey[] | undefined
  /** Undefined: there is one chain. */
  chains?: ChainPaths | undefined
}

/** The pages, with the keys of answers, and a security.txt where the operator has named a contact. */
export const choosePages = ({ contact, chains, keys, ...options }: PagesOptions): typeof PAGES => ({
  ...(chains ? describe(chains) : PAGES),
  ...(keys && { [KEYS_PATH]: { type: 'application/json', read: async () => JSON.stringify({ keys }) } }),
  ...(contact && { [SECURITY_PATH]: securityPage({ contact, ...options }) }),
})
