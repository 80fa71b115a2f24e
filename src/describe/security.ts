// /.well-known/security.txt (RFC 9116): where a weakness of this installation is reported.
import type { Clock } from '../base/clock.ts'
import type { PublicPage } from '../rest/page/public-pages.ts'

export const SECURITY_PATH = '/.well-known/security.txt'

/** RFC 9116 wants less than a year. */
const VALID_MS = 364 * 86_400_000

export interface SecurityOptions {
  /** `mailto:` or `https:`. */
  contact: string
  publicUrl: string | undefined
  clock: Pick<Clock, 'now'>
}

/** The file. It is valid for a year from its first reader on. */
export const securityPage = ({ contact, publicUrl, clock }: SecurityOptions): PublicPage => ({
  type: 'text/plain',
  read: async () => {
    const lines = [
      `Contact: ${new URL(contact).href}`,
      `Expires: ${new Date(clock.now().getTime() + VALID_MS).toISOString()}`,
      'Preferred-Languages: en',
      ...(publicUrl ? [`Canonical: ${new URL(SECURITY_PATH, publicUrl).href}`] : []),
    ]
    return `${lines.join('\n')}\n`
  },
})
