// Pure. Writes the mail with a link. Nothing in it comes from the person who asked for it.
import type { Letter } from '../alerts/message.ts'
import { pageUrl } from '../base/page-url.ts'
import { SIGN_IN_HOURS } from './signup.ts'

/** The page of links, below the public address. */
const PATH = '/signup'

/** The address of a page with a value in its fragment, which browsers send to no server. */
export const linkOf = (publicUrl: string, name: 'token' | 'invite', value: string): string =>
  pageUrl(publicUrl, `${PATH}#${name}=${value}`)

const WORDS = {
  first: {
    subject: 'Your API key',
    ask: 'Somebody, probably you, asked for an API key with this address.',
    gives: 'Confirm it on this page to get the key:',
  },
  signIn: {
    subject: 'Sign in to your account',
    ask: 'Somebody, probably you, asked to sign in with this address.',
    gives: `Confirm it on this page to get a key for ${SIGN_IN_HOURS} hours, with which you manage your keys:`,
  },
} as const

const END =
  'The link works once, within an hour. If it was not you, ignore this mail: nothing happens without the link.'

/** `signIn`: the address has an account. */
export function writeSignupLetter(kind: keyof typeof WORDS, link: string): Letter {
  const { subject, ask, gives } = WORDS[kind]
  const href = link.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
  return {
    subject,
    text: [ask, gives, link, END].join('\n\n'),
    html: `<!doctype html><html lang="en"><head><meta name="referrer" content="no-referrer"></head><body><p>${ask}</p><p>${gives}</p><p><a href="${href}">${href}</a></p><p>${END}</p></body></html>`,
  }
}
