// What became of a mail, as its owner reads it: one of a few sentences. What a mail server says may name its users, its
// software or the operator's folders, and anyone may run one; of its words only a code of three digits is passed on.
import type { MessageStatus } from './outbox.ts'

/** How the words begin that stand for the folder of mails, which takes a mail server's place where there is none. */
export const FOLDER_TOOK = 'written to'
export const FOLDER_FAILED = 'not written'

/** The sentences; `{code}` is the code of the server's answer in brackets, where it gave one. */
const OUTCOMES = {
  accepted: 'The mail server accepted the mail{code}.',
  filed: 'The mail was written to a file.',
  later: 'The mail server asked for another try{code}.',
  rejected: 'The mail server refused the mail{code}.',
  refused: 'The mail server refused the address or the mail for good{code}.',
  unreached: 'The mail server was not reached, or broke off.',
  unfiled: 'The mail could not be written to a file.',
  suppressed: 'The address was refused before.',
  cancelled: 'A reorganisation of the chain took the match back.',
} as const

/** The sentence for a status and what was kept of the last try; null before the first. */
export function explainOutcome(status: MessageStatus, response: string | null): string | null {
  if (response === null) return null
  const code = /^[245]\d\d(?!\d)/.exec(response)?.[0] ?? ''
  return OUTCOMES[outcomeOf(status, response, code)].replace('{code}', code && ` (${code})`)
}

function outcomeOf(status: MessageStatus, response: string, code: string): keyof typeof OUTCOMES {
  if (status === 'suppressed' || status === 'cancelled' || status === 'refused') return status
  if (response.startsWith(FOLDER_FAILED)) return 'unfiled'
  if (status === 'sent') return response.startsWith(FOLDER_TOOK) ? 'filed' : 'accepted'
  if (code === '') return 'unreached'
  return code.startsWith('5') ? 'rejected' : 'later'
}
