// Describes the outcome of a mail to an alert's owner, in one of a few fixed sentences. A mail server's answer may name
// users, software or folders of the operator, or be hostile; only its three-digit code is passed on.
import { isChat, URL_CHANNELS } from '../../fields/channels.ts'
import { CHATS } from '../../fields/chat/chats.ts'
import type { MessageStatus } from './outbox.ts'

/** The beginning of the response if mails go to a folder, because there is no mail server. */
export const FOLDER_TOOK = 'written to'
export const FOLDER_FAILED = 'not written'

/**
 * The sentences. `{code}` becomes the code of the server's answer in brackets, or nothing, `{receiver}` the webhook or the
 * name of the chat service.
 */
const OUTCOMES = {
  accepted: 'The mail server accepted the mail{code}.',
  filed: 'The mail was written to a file.',
  later: 'The mail server asked for another try{code}.',
  rejected: 'The mail server refused the mail{code}.',
  refused: 'The mail server refused the address or the mail for good{code}.',
  unreached: 'The mail server was not reached, or broke off.',
  unfiled: 'The mail could not be written to a file.',
  suppressed: 'The address was refused before.',
  called: '{receiver} took the message{code}.',
  uncalled: '{receiver} answered with an error{code}.',
  unheard: '{receiver} was not reached, or did not answer in time.',
  unallowed: '{receiver} leads to an address that is not reached from here.',
  gone: 'The webhook is gone for good{code}: its alert is paused.',
  ended: '{receiver} takes no more messages for good{code}: the alert is paused.',
  deleted: 'The alert was deleted before its message was sent.',
  cancelled: 'A reorganisation of the chain took the match back.',
} as const

/** The sentence for a mail's status and the stored response of the last try; null before the first try. */
export function explainOutcome(status: MessageStatus, response: string | null): string | null {
  if (response === null) return null
  const receiver = URL_CHANNELS.find((name) => response.startsWith(`${name} `))
  const answer = receiver ? response.slice(receiver.length + 1) : response
  const isOfChat = receiver !== undefined && isChat(receiver)
  const code = (isOfChat ? ANSWER_OF_CHAT : ANSWER).exec(answer)?.[0] ?? ''
  const outcome = receiver && status !== 'cancelled' ? receiverOutcomeOf(status, answer, isOfChat, code) : undefined
  return OUTCOMES[outcome ?? outcomeOf(status, response, code)]
    .replace('{receiver}', isOfChat ? CHATS[receiver].name : 'The webhook')
    .replace('{code}', code && ` (${code})`)
}

/** The status of an answer. That of a chat may have a word of ours for what the service said. */
const ANSWER = /^[1-5]\d\d(?!\d)/
const ANSWER_OF_CHAT = /^[1-5]\d\d( [a-z_]+)?$/

function outcomeOf(status: MessageStatus, response: string, code: string): keyof typeof OUTCOMES {
  if (status === 'suppressed' || status === 'cancelled' || status === 'refused') return status
  if (response.startsWith(FOLDER_FAILED)) return 'unfiled'
  if (status === 'sent') return response.startsWith(FOLDER_TOOK) ? 'filed' : 'accepted'
  if (code === '') return 'unreached'
  return code.startsWith('5') ? 'rejected' : 'later'
}

function receiverOutcomeOf(
  status: MessageStatus,
  answer: string,
  isOfChat: boolean,
  code: string,
): keyof typeof OUTCOMES {
  if (status === 'sent') return 'called'
  if (status === 'refused') return isOfChat ? 'ended' : 'gone'
  if (answer.startsWith('address')) return 'unallowed'
  if (answer.startsWith('gone')) return 'deleted'
  return code === '' ? 'unheard' : 'uncalled'
}
