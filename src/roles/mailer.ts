// The mailer of a process, and the address to which its links lead.
import { isIPv6 } from 'node:net'
import { join } from 'node:path'
import { createFileMailer, createSmtpMailer, type Mailer } from '../alerts/email.ts'
import { type Config, chainPathOf } from '../base/config.ts'
import { pageUrl } from '../base/page-url.ts'

/** The folder of mails without an SMTP server. */
export const mailFolderOf = ({ DATA_DIR }: Config): string => join(DATA_DIR, 'mail')

/** The address for links in mails. `address`: of the API in this process, if it is known. */
export const publicUrlOf = (config: Config, address: string | null): string =>
  config.PUBLIC_URL ?? pageUrl(address ?? guessAddress(config), chainPathOf(config))

/** The address of the API in another process with the same configuration. */
const guessAddress = ({ TLS_CERT, HOST, PORT }: Config): string =>
  `${TLS_CERT ? 'https' : 'http'}://${isIPv6(HOST) ? `[${HOST}]` : HOST}:${PORT}`

/** A mailer for the SMTP server if one is configured, else for the folder. */
export function createMailer(config: Config): Mailer {
  const {
    SMTP_URL: url,
    MAIL_FROM: from,
    DKIM_DOMAIN: domain,
    DKIM_SELECTOR: selector,
    DKIM_PRIVATE_KEY: privateKey,
  } = config
  if (!url) return createFileMailer({ folder: mailFolderOf(config), from })
  return createSmtpMailer({
    url,
    from,
    ...(domain && selector && privateKey ? { dkim: { domain, selector, privateKey } } : {}),
  })
}
