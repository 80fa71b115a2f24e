// Checks the URL of a webhook by its text. The address behind its name is checked at each call.

import { isIP } from 'node:net'
import { isPublicAddress } from './public-address.ts'

const MAX_LENGTH = 2_000

/** This machine by its usual names. */
const LOOPBACK_HOST = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/

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
const isLoopbackUrl = (url: URL): boolean => LOOPBACK_HOST.test(url.hostname)

/** Null, or the fault as a text that follows the field's name. */
export function checkWebhookUrl(text: string, { allowsLoopback = false, ports = [443] }: WebhookReach): string | null {
  if (text.length > MAX_LENGTH || !URL.canParse(text)) return `must be a URL of ${MAX_LENGTH} characters at most`
  const url = new URL(text)
  const isLocal = allowsLoopback && isLoopbackUrl(url)
  if (url.protocol !== 'https:' && !(isLocal && url.protocol === 'http:'))
    return 'must be a URL that starts with https://'
  if (url.username !== '' || url.password !== '') return 'must not contain a user or a password'
  if (url.hash !== '') return 'must not contain a fragment'
  const host = url.hostname.replace(/^\[|\]$/g, '')
  if (!isLocal && (isLoopbackUrl(url) || (isIP(host) !== 0 && !isPublicAddress(host))))
    return 'must lead to the public internet'
  if (!isLocal && ports !== 'any' && !ports.includes(Number(url.port || 443)))
    return `must use port ${ports.join(' or ')}, which this server may call`
  return null
}
