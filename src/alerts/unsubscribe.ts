// Links that pause one alert with one click (RFC 8058): the alert's id and a signature that only this installation can
// make.
import { createHmac, timingSafeEqual } from 'node:crypto'
import { pageUrl } from '../base/page-url.ts'

/** The path of the links, below the public address. */
export const UNSUBSCRIBE_PATH = '/unsubscribe'

const sign = (secret: Uint8Array, alertId: string): Buffer =>
  createHmac('sha256', secret).update(`unsubscribe:${alertId}`).digest()

/** The link for an alert. */
export function unsubscribeUrl(publicUrl: string, secret: Uint8Array, alertId: string): string {
  const url = new URL(pageUrl(publicUrl, UNSUBSCRIBE_PATH))
  url.searchParams.set('alert', alertId)
  url.searchParams.set('signature', sign(secret, alertId).toString('base64url'))
  return url.href
}

/** Whether this installation made the signature for this alert. */
export function isSigned(secret: Uint8Array, alertId: string, signature: string): boolean {
  const expected = sign(secret, alertId)
  const given = Buffer.from(signature, 'base64url')
  return given.length === expected.length && timingSafeEqual(given, expected)
}
