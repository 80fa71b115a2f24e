// Authorization of /mcp by tokens (RFC 9728): where a client finds the authorization server, and the guard that takes
// its tokens beside keys.
import type { RequestHandler } from 'express'
import type { Guard } from '../access/guard.ts'
import type { Subjects } from '../access/subjects.ts'
import { AssayError } from '../base/errors.ts'
import { pageUrl } from '../base/page-url.ts'
import { showPage } from './page/public-pages.ts'

const METADATA_PATH = '/.well-known/oauth-protected-resource'
const MCP_PATH = '/mcp'

export interface Oauth {
  subjects: Subjects
  /** The audience of every token in place of the address of /mcp. */
  audience?: string | undefined
  /** The public address of the installation. */
  rootUrl: string
}

const audienceOf = ({ audience, rootUrl }: Oauth, chainPath: string) =>
  audience ?? pageUrl(rootUrl, `${chainPath}${MCP_PATH}`)

/** The metadata of /mcp of each chain by their paths; that of the default one also without a path. */
export function metadataPages(oauth: Oauth, chainPaths: readonly string[]): (readonly [string, RequestHandler])[] {
  const { issuer, scope } = oauth.subjects
  const pageOf = (chainPath: string) =>
    showPage({
      type: 'application/json',
      read: async () =>
        JSON.stringify({
          resource: audienceOf(oauth, chainPath),
          authorization_servers: [issuer],
          bearer_methods_supported: ['header'],
          ...(scope !== undefined && { scopes_supported: [scope] }),
          resource_name: 'Assay',
        }),
    })
  return [
    [METADATA_PATH, pageOf('')],
    ...chainPaths.map((path) => [`${METADATA_PATH}${path}${MCP_PATH}`, pageOf(path)] as const),
  ]
}

/** Three parts of base64url. A key has no dot. */
const TOKEN = /^bearer +([\w-]+\.[\w-]+\.[\w-]+) *$/i

/** A guard that takes tokens for /mcp of this chain, too, and tells a refused caller where it gets one. */
export function takeTokens(guard: Guard, oauth: Oauth, chainPath: string): Guard {
  const audience = audienceOf(oauth, chainPath)
  const { subjects, rootUrl } = oauth
  const metadata = pageUrl(rootUrl, `${METADATA_PATH}${chainPath}${MCP_PATH}`)
  const challenge = [
    `resource_metadata="${metadata}"`,
    ...(subjects.scope === undefined ? [] : [`scope="${subjects.scope}"`]),
  ].join(', ')
  return {
    ...guard,
    authenticate: async (authorization, address, peer) => {
      const token = TOKEN.exec(authorization ?? '')?.[1]
      try {
        return await (token === undefined
          ? guard.authenticate(authorization, address, peer)
          : subjects.authenticate(token, audience, address, peer))
      } catch (error) {
        if (!(error instanceof AssayError) || (error.code !== 'UNAUTHORIZED' && error.reason !== 'scope')) throw error
        throw new AssayError(error.code, error.message, { reason: error.reason, challenge })
      }
    },
  }
}
