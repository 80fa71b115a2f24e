// Pure. The mailbox of a mail address: what an account belongs to, and what bounds of mails count.

/** Two domains of one service, which ignores dots before the @: https://support.google.com/mail/answer/7436150 */
const GMAIL = /@g(oogle)?mail\.com$/

/**
 * The mailbox that an address in upper and lower case and with any +tag shares, and at Gmail with any dots. One person
 * would otherwise have as many accounts as tags.
 */
export function mailboxOf(email: string): string {
  const bare = email.toLowerCase().replace(/(?<=[^+])\+[^@]*@/, '@')
  return GMAIL.test(bare) ? `${bare.replace(/@.*/, '').replaceAll('.', '')}@gmail.com` : bare
}
