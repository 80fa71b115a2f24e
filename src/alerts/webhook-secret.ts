// Secrets of webhooks in the form of Standard Webhooks: whsec_ and random bytes in base64.
import { randomBytes } from 'node:crypto'

/**
 * How long the previous secret signs too after a rotation, in hours: long enough to give every receiver the new one.
 */
export const SECRET_OVERLAP_HOURS = 24

export const newWebhookSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`
