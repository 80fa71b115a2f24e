// The descriptions of the API, by path: for programs, for people, for agents.
import type { PublicPage } from '../rest/page/public-pages.ts'
import { printAsyncApi } from './asyncapi.ts'
import { printLlms } from './llms.ts'
import { printOpenApi } from './openapi.ts'
import { REFERENCE } from './reference.ts'
import { SECURITY_PATH, type SecurityOptions, securityPage } from './security.ts'

export const PAGES: Readonly<Record<string, PublicPage>> = {
  '/openapi.json': { type: 'application/json', read: async () => printOpenApi() },
  '/asyncapi.json': { type: 'application/json', read: async () => printAsyncApi() },
  '/llms.txt': { type: 'text/plain', read: async () => printLlms() },
  ...REFERENCE,
}

/** The pages, with a security.txt where the operator has named a contact. */
export const choosePages = ({
  contact,
  ...options
}: Omit<SecurityOptions, 'contact'> & { contact: string | undefined }) =>
  contact ? { ...PAGES, [SECURITY_PATH]: securityPage({ contact, ...options }) } : PAGES
