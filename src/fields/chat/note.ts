// What a chat message says, in plain text: each service has a format for it.
import { parseJson } from '../../base/json.ts'

export interface ChatToken {
  title: string
  /** The URL of its page; null: there is no public address. */
  page: string | null
  rows: readonly (readonly [label: string, value: string])[]
}

export interface ChatNote {
  title: string
  /** The first tokens: a format lists as many as fit. */
  tokens: readonly ChatToken[]
  /** How many tokens the note is about. */
  total: number
  /** Where the others are listed; null: there is no public address. */
  list: string | null
}

/** The destination of a chat's URL. */
export interface ChatTarget {
  /** The path of the call. */
  path: string
  /** The part of the URL that allows to write. */
  secret: string
  /** Of a bot that writes into many chats: the chat. */
  chat: string | null
}

export interface ChatAnswer {
  status: number
  headers: Readonly<Record<string, string | string[] | undefined>>
  body: string
}

/** A part of a chat's URL that its owner types on the page. */
interface ChatInput {
  label: string
  /** Nobody reads a secret over a shoulder. */
  isSecret: boolean
}

/** One chat service. */
export interface ChatFormat {
  /** Its name in texts. */
  name: string
  /** How it gets messages: its description in GraphQL. */
  text: string
  /** The first half of the advisory lock of an account's claims: a number of its own, which never changes. */
  lock: number
  origin: string
  /** The parts of its URL on the page, and the URL that they make. */
  inputs: readonly ChatInput[]
  toUrl(parts: readonly string[]): string
  /** The rule for its URLs as a text that follows the field's name. */
  rule: string
  /** Where the owner of a chat gets the URL, for the pages. */
  where: string
  /** Null: it is no URL of this service. */
  parse(url: string): ChatTarget | null
  /** The body of the call. */
  write(note: ChatNote, target: ChatTarget): object
  /** The words of `findEnd`. */
  ends: readonly string[]
  /** Why no message will ever arrive, in one of our words; null: that is not said. */
  findEnd(answer: ChatAnswer): string | null
  /** The seconds to wait as the service writes them; undefined: none are said. */
  findPause(answer: ChatAnswer): unknown
}

/** How many of the texts fit into the room, with `between` characters after each: at least one. */
export function countFitting(texts: readonly string[], room: number, between: number): number {
  let left = room
  const place = texts.findIndex((text) => {
    left -= text.length + between
    return left < 0
  })
  return place < 0 ? texts.length : Math.max(1, place)
}

/** `and 12 more`; empty if all are listed. */
export const tellMore = (note: ChatNote, listed: number): string =>
  note.total > listed ? `and ${note.total - listed} more` : ''

/** A JSON object of an answer; an empty one if it is none. */
export function readObject(text: string): Record<string, unknown> {
  const value = parseJson(text)
  return typeof value === 'object' && value !== null ? { ...value } : {}
}
