// Scans the logs in the bytes of an answer. JSON.parse would make a string of every field; these mostly unread strings
// were a third of the cost of reading a chain. Input: a JSON-RPC body. Output: one log after another, as places in the
// bytes. JSON.parse reads a body that is not plainly a list of logs (escapes, an error).

import { itemAt } from '../../base/item-at.ts'
import { Bytes } from '../columns/bytes.ts'
import { NO_HEX } from '../columns/hex.ts'
import { readNumber } from '../raw.ts'

/** A log before it is decoded. A place is the index of the first byte after the opening quote, or `NONE`. */
export interface ScannedLog {
  readonly bytes: Bytes
  /** Place of "0x" and 40 characters. */
  address: number
  topicCount: number
  /** Places of the first four topics, each "0x" and 64 characters. */
  readonly topics: [number, number, number, number]
  /** Place of "0x" and the digits. */
  data: number
  /** Length with "0x"; 0 when the data does not start with "0x". */
  dataLength: number
  /** `NONE` when it is not a whole number. */
  blockNumber: number
  /** `NONE` when it is not a whole number. */
  logIndex: number
  /** In lower case. */
  blockHash: string
  /** In lower case. */
  txHash: string
  isRemoved: boolean
}

/** Stands for a missing place or number. */
export const NONE = -1

/** A log without any field yet. */
export const emptyLog = (bytes: Bytes): ScannedLog => ({
  bytes,
  address: NONE,
  topicCount: 0,
  topics: [NONE, NONE, NONE, NONE],
  data: NONE,
  dataLength: 0,
  blockNumber: NONE,
  logIndex: NONE,
  blockHash: '',
  txHash: '',
  isRemoved: false,
})

const [SPACE, QUOTE, COMMA, COLON] = [0x20, 0x22, 0x2c, 0x3a]
const [LIST, END, TRUE, OPEN, CLOSE] = [0x5b, 0x5d, 0x74, 0x7b, 0x7d]
/** JSON white space: space, tab and line ends. */
const SPACES: ReadonlySet<number> = new Set([SPACE, 0x09, 0x0a, 0x0d])
/** The bytes that end a number or a word. */
const ENDS: ReadonlySet<number> = new Set([...SPACES, QUOTE, COMMA, COLON, LIST, END, OPEN, CLOSE])

/** A JSON number, `true`, `false` or `null`. */
const WORD = /^(true|false|null|-?(0|[1-9]\d*)(\.\d+)?(e[+-]?\d+)?)$/

/** The keys of a log and the body's `result`. Those before `blockNumber` are required. */
const KEYS = [
  'address',
  'topics',
  'data',
  'blockHash',
  'transactionHash',
  'logIndex',
  'blockNumber',
  'removed',
  'result',
].map((key) => new Bytes(Buffer.from(key)))
const [ADDRESS, TOPICS, DATA, BLOCK_HASH, TX_HASH, LOG_INDEX, BLOCK_NUMBER, REMOVED, RESULT] = KEYS.keys()
const NEEDED = 0b0011_1111

/** Reads the logs of the body `{…"result":[…]…}`; false when it cannot. The log object is reused for the next call. */
export const scanBody = (body: Buffer, read: (log: ScannedLog) => void): boolean => new Scanner(body).body(read)

/** The same for a body that consists of the list only. */
export const scanList = (body: Buffer, read: (log: ScannedLog) => void): boolean => new Scanner(body).list(read)

/** A recursive-descent parser: each method returns false or null for an unexpected text. */
class Scanner {
  readonly #bytes: Bytes
  readonly #log: ScannedLog
  #at = 0
  /** Start and end of the last value. */
  #from = 0
  #to = 0
  /** The keys of the previous log, each with the bytes around it. */
  readonly #keys: { at: number; length: number; key: number }[] = []
  readonly #word: LastText
  readonly #blockHash: LastText
  readonly #txHash: LastText

  constructor(body: Buffer) {
    const bytes = new Bytes(body)
    this.#bytes = bytes
    this.#word = new LastText(bytes)
    this.#blockHash = new LastText(bytes)
    this.#txHash = new LastText(bytes)
    this.#log = emptyLog(bytes)
  }

  body(read: (log: ScannedLog) => void): boolean {
    let hasLogs = false
    if (!this.#take(OPEN)) return false
    do {
      const key = this.#key()
      hasLogs ||= key === RESULT
      if (key === null || !(key === RESULT ? this.list(read) : this.#value())) return false
    } while (this.#take(COMMA))
    return hasLogs && this.#take(CLOSE) && this.#next() === undefined
  }

  list(read: (log: ScannedLog) => void): boolean {
    if (!this.#take(LIST)) return false
    if (this.#take(END)) return true
    do {
      if (!this.#readLog()) return false
      read(this.#log)
    } while (this.#take(COMMA))
    return this.#take(END)
  }

  /** Skips white space and returns the next byte; undefined at the end. */
  #next(): number | undefined {
    let byte = this.#bytes.at(this.#at)
    while (byte !== undefined && byte <= SPACE && SPACES.has(byte)) {
      this.#at += 1
      byte = this.#bytes.at(this.#at)
    }
    return byte
  }

  #take(byte: number): boolean {
    if (this.#next() !== byte) return false
    this.#at += 1
    return true
  }

  /** An ASCII string without escapes. */
  #text(): boolean {
    if (!this.#take(QUOTE)) return false
    this.#from = this.#at
    this.#to = this.#bytes.endOfPlain(this.#at)
    this.#at = this.#to + 1
    return this.#bytes.at(this.#to) === QUOTE
  }

  /** A string, number, `true`, `false` or `null`; not an object or list. */
  #value(): boolean {
    if (this.#next() === QUOTE) return this.#text()
    const bytes = this.#bytes
    this.#from = this.#at
    let byte = bytes.at(this.#at)
    while (byte !== undefined && !ENDS.has(byte)) {
      this.#at += 1
      byte = bytes.at(this.#at)
    }
    this.#to = this.#at
    const length = this.#to - this.#from
    if (this.#word.isAgain(this.#from, length)) return true
    this.#word.read(this.#from, length)
    return WORD.test(bytes.text(this.#from, this.#to))
  }

  /** A key and its colon: the key's index in `KEYS`, `NONE` for another key, null when there is no key. */
  #key(): number | null {
    if (!this.#text()) return null
    const from = this.#from
    const length = this.#to - from
    if (!this.#take(COLON)) return null
    for (let i = 0; i < KEYS.length; i++) {
      const key = itemAt(KEYS, i)
      if (key.length === length && key.isAt(this.#bytes, from)) return i
    }
    return NONE
  }

  /** The key of field `field`. Nodes write all logs in one order, so it mostly equals the previous log's key. */
  #keyAsBefore(field: number): number | null {
    const before = this.#keys[field]
    if (
      before &&
      this.#at + before.length <= this.#bytes.length &&
      this.#bytes.areSame(this.#at, before.at, before.length)
    ) {
      this.#at += before.length
      return before.key
    }
    const at = this.#at
    const key = this.#key()
    if (key !== null) this.#keys[field] = { at, length: this.#at - at, key }
    return key
  }

  #readLog(): boolean {
    const log = this.#log
    let found = 0
    log.isRemoved = false
    log.blockNumber = NONE
    if (!this.#take(OPEN)) return false
    let field = 0
    do {
      const key = this.#keyAsBefore(field++)
      if (key === null || !this.#field(log, key)) return false
      if (key !== NONE) found |= 1 << key
    } while (this.#take(COMMA))
    return this.#take(CLOSE) && (found & NEEDED) === NEEDED
  }

  #field(log: ScannedLog, key: number): boolean {
    if (key === TOPICS) return this.#topics(log)
    const isText = this.#next() === QUOTE
    if (!this.#value()) return false
    const from = this.#from
    const length = this.#to - from
    if (key === LOG_INDEX) log.logIndex = this.#number()
    else if (key === BLOCK_NUMBER) log.blockNumber = this.#number()
    else if (key === REMOVED) log.isRemoved = !isText && this.#bytes.at(from) === TRUE
    else if (key === NONE || key === RESULT) return true
    else if (!isText) return false
    else if (key === ADDRESS) log.address = length === 42 && this.#bytes.isHex(this.#from) ? from : NONE
    else if (key === BLOCK_HASH) log.blockHash = this.#blockHash.read(from, length)
    else if (key === TX_HASH) log.txHash = this.#txHash.read(from, length)
    else if (key === DATA) {
      log.data = from
      log.dataLength = this.#bytes.isHex(this.#from) ? length : 0
    }
    return true
  }

  #topics(log: ScannedLog): boolean {
    log.topicCount = 0
    if (!this.#take(LIST)) return false
    if (this.#take(END)) return true
    do {
      if (!this.#text()) return false
      const place = this.#to - this.#from === 66 && this.#bytes.isHex(this.#from) ? this.#from : NONE
      if (log.topicCount < log.topics.length) log.topics[log.topicCount] = place
      log.topicCount += 1
    } while (this.#take(COMMA))
    return this.#take(END)
  }

  /** The last value as a whole number, from hex or decimal. */
  #number(): number {
    const length = this.#to - this.#from
    if (!this.#bytes.isHex(this.#from) || length > 14 || length < 3)
      return readNumber(this.#bytes.text(this.#from, this.#to)) ?? NONE
    const value = this.#bytes.number(this.#from + 2, this.#to)
    return value === NO_HEX ? NONE : value
  }
}

/** A text that mostly equals the previous one, so that the string is made once. */
class LastText {
  readonly #bytes: Bytes
  #from = 0
  #length = 0
  #text = ''

  constructor(bytes: Bytes) {
    this.#bytes = bytes
  }

  /** Whether the text at this place equals the last one. */
  isAgain(from: number, length: number): boolean {
    return length >= 4 && length === this.#length && this.#bytes.areSame(from, this.#from, length)
  }

  read(from: number, length: number): string {
    if (!this.isAgain(from, length)) this.#text = this.#bytes.lowerCase(from, from + length)
    this.#from = from
    this.#length = length
    return this.#text
  }
}
