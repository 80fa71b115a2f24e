// Pure. What a page says right after an answer. A comment before the paragraph has the statement as an expression of
// JavaScript. In it, `answer` is the real one, and `shown` the one on the page.
import type { Block, Page } from './pages.ts'

/** Stands before a paragraph that says nothing of the answer. */
const NO_CLAIM = 'other'
const COMMENT = /^<!-- (.*) -->$/

/** The lines of a paragraph after a block, with the comment before it. */
function readAfter({ text }: Page, block: Block): { comment: string | null; paragraph: string } {
  const lines = text.split('\n').slice(block.line + block.text.split('\n').length)
  const written = lines.slice(lines.findIndex((line) => line.trim() !== ''))
  const [, comment = null] = COMMENT.exec(written[0]?.trim() ?? '') ?? []
  const [first = ''] = comment === null ? written : written.slice(1).filter((line) => line.trim() !== '')
  const isText = first !== '' && !/^\s*(#|```|\||[-*] )/.test(first)
  return { comment, paragraph: isText ? first : '' }
}

/** Why the paragraph after an answer cannot be believed; null: it holds, or there is none. */
export function judgeClaim(page: Page, block: Block, answer: unknown): string | null {
  const { comment, paragraph } = readAfter(page, block)
  if (paragraph === '') return null
  const place = `${page.path}:${block.line}`
  if (comment === null) return `${place}: no expression holds "${paragraph}" against its answer`
  if (comment === NO_CLAIM) return null
  const holds = new Function('answer', 'shown', `return ${comment.replace(/^holds: /, '')}`)
  return holds(answer, JSON.parse(block.text)) === true ? null : `${place}: "${paragraph}" does not hold`
}
