// Checks the URL of a webhook by its text. The address behind its name is checked at each call.

import { isIP } from 'node:net'
import { isLocalName, isPublicAddress } from './public-address.ts'

/** Characters of a URL. */
export const MAX_URL_LENGTH = 2_000

/** This machine by its usual addresses. */
const LOOPBACK = /^(127\.\d+\.\d+\.\d+|\[::1\])$/
/** Names that no public name server knows: RFC 6762, RFC 8375, and ICANN's `internal`. */
const PRIVATE_NAME = /(^|\.)(local|internal|home\.arpa)\.?$/

/** The operator's rules for webhooks. */
export interface WebhookReach {
  /** Whether `http:` and this machine, on any port, are allowed: in tests and development only. */
  allowsLoopback?: boolean | undefined
  /**
   * The ports that webhooks may call elsewhere; 443 if left out. With any port, strangers could probe anybody's
   * services.
   */
  ports?: readonly number[] | 'any' | undefined
}

/** Whether the URL leads to this machine. */
const isLoopbackUrl = ({ hostname }: URL): boolean => LOOPBACK.test(hostname) || isLocalName(hostname)

/** Null, or the fault as a text that follows the field's name. */
export function checkWebhookUrl(text: string, { allowsLoopback = false, ports = [443] }: WebhookReach): string | null {
  if (text.length > MAX_URL_LENGTH || !URL.canParse(text))
    return `must be a URL of ${MAX_URL_LENGTH} characters at most`
  const url = new URL(text)
  const isLocal = allowsLoopback && isLoopbackUrl(url)
  if (url.protocol !== 'https:' && !(isLocal && url.protocol === 'http:'))
    return 'must be a URL that starts with https://'
  if (url.username !== '' || url.password !== '') return 'must not contain a user or a password'
  if (url.hash !== '') return 'must not contain a fragment'
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const isPrivate = isLoopbackUrl(url) || PRIVATE_NAME.test(host) || (isIP(host) !== 0 && !isPublicAddress(host))
  if (!isLocal && isPrivate) return 'must lead to the public internet'
  if (!isLocal && ports !== 'any' && !ports.includes(Number(url.port || 443)))
    return `must use port ${ports.join(' or ')}, which this server may call`
  return null
}
