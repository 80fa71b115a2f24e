// Describes the outcome of a mail to an alert's owner, in one of a few fixed sentences. A mail server's answer may name
// users, software or folders of the operator, or be hostile; only its three-digit code is passed on.
import type { MessageStatus } from './outbox.ts'

/** The beginning of the response if mails go to a folder, because there is no mail server. */
export const FOLDER_TOOK = 'written to'
export const FOLDER_FAILED = 'not written'

/** The sentences. `{code}` becomes the code of the server's answer in brackets, or nothing. */
const OUTCOMES = {
  accepted: 'The mail server accepted the mail{code}.',
  filed: 'The mail was written to a file.',
  later: 'The mail server asked for another try{code}.',
  rejected: 'The mail server refused the mail{code}.',
  refused: 'The mail server refused the address or the mail for good{code}.',
  unreached: 'The mail server was not reached, or broke off.',
  unfiled: 'The mail could not be written to a file.',
  suppressed: 'The address was refused before.',
  called: 'The webhook took the message{code}.',
  uncalled: 'The webhook answered with an error{code}.',
  unheard: 'The webhook was not reached, or did not answer in time.',
  unallowed: 'The webhook leads to an address that is not reached from here.',
  gone: 'The webhook is gone for good{code}: its alert is paused.',
  deleted: 'The alert was deleted before its webhook was reached.',
  cancelled: 'A reorganisation of the chain took the match back.',
} as const

/** The sentence for a mail's status and the stored response of the last try; null before the first try. */
export function explainOutcome(status: MessageStatus, response: string | null): string | null {
  if (response === null) return null
  const code = /^(?:webhook )?([1-5]\d\d)(?!\d)/.exec(response)?.[1] ?? ''
  return OUTCOMES[outcomeOf(status, response, code)].replace('{code}', code && ` (${code})`)
}

function outcomeOf(status: MessageStatus, response: string, code: string): keyof typeof OUTCOMES {
  if (response.startsWith('webhook ') && status !== 'cancelled') return webhookOutcomeOf(status, response, code)
  if (status === 'suppressed' || status === 'cancelled' || status === 'refused') return status
  if (response.startsWith(FOLDER_FAILED)) return 'unfiled'
  if (status === 'sent') return response.startsWith(FOLDER_TOOK) ? 'filed' : 'accepted'
  if (code === '') return 'unreached'
  return code.startsWith('5') ? 'rejected' : 'later'
}

function webhookOutcomeOf(status: MessageStatus, response: string, code: string): keyof typeof OUTCOMES {
  if (status === 'sent') return 'called'
  if (status === 'refused') return 'gone'
  if (response.startsWith('webhook address')) return 'unallowed'
  if (response.startsWith('webhook gone')) return 'deleted'
  return code === '' ? 'unheard' : 'uncalled'
}
