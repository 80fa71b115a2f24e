// The pages of the project as their readers see them: README.md, CONTRIBUTING.md, SECURITY.md and everything under docs.
// In: the files. Out: text, fenced blocks, headings and links.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'

export const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** A page equals what follows from the code; with UPDATE_DOCS=1 it is written instead. */
export function holdPage(path: string, wanted: string): void {
  if (process.env.UPDATE_DOCS === '1') writeFileSync(`${ROOT}/${path}`, wanted)
  else expect(readFileSync(`${ROOT}/${path}`, 'utf8')).toBe(wanted)
}

export interface Block {
  /** The first word after the fence. */
  language: string
  /** The rest of the fence's line: `answer`, or `not-run: reason`. */
  note: string
  text: string
  /** The line of the fence, from 1. */
  line: number
}

export interface Page {
  /** Relative to the project, with `/`. */
  path: string
  text: string
  blocks: Block[]
}

export const readPages = (): Page[] =>
  [
    ...['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md'],
    ...readdirSync(`${ROOT}/docs`, { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.md'))
      .map((path) => `docs/${path.replaceAll('\\', '/')}`)
      .sort(),
  ].map(readPage)

export function readPage(path: string): Page {
  const text = readFileSync(`${ROOT}/${path}`, 'utf8')
  return { path, text, blocks: findBlocks(text) }
}

function findBlocks(text: string): Block[] {
  const blocks: Block[] = []
  let open: Block | undefined
  for (const [index, line] of text.split('\n').entries()) {
    // A block in a list is indented.
    const fence = line.trimStart()
    if (open && fence === '```') {
      blocks.push(open)
      open = undefined
    } else if (open) open.text += `${line}\n`
    else if (fence.startsWith('```')) {
      const [language = '', ...note] = fence.slice(3).split(' ')
      open = { language, note: note.join(' '), text: '', line: index + 1 }
    }
  }
  if (open) throw new Error(`the block at line ${open.line} has no end`)
  return blocks
}

/** The text without its fenced blocks, which hold no headings and no links. */
const proseOf = (text: string): string => text.replace(/^ *```[\s\S]*?^ *```$/gm, '')

/** The anchors that GitHub gives to the headings. */
export function anchorsOf(text: string): string[] {
  const seen = new Map<string, number>()
  return [...proseOf(text).matchAll(/^#{1,6} (.+)$/gm)].map(([, title = '']) => {
    const plain = title.toLowerCase().replace(/[^\p{Letter}\p{Number}\s_-]/gu, '')
    const anchor = plain.trim().replace(/\s/g, '-')
    const count = seen.get(anchor) ?? 0
    seen.set(anchor, count + 1)
    return count === 0 ? anchor : `${anchor}-${count}`
  })
}

/** Where links point to, in text and in images; not those inside of code. */
export const linksOf = (text: string): string[] =>
  [
    ...proseOf(text)
      .replace(/`[^`\n]*`/g, '')
      .matchAll(/\]\(([^)\s]+)\)/g),
  ].map(([, target = '']) => target)

/** The part of a page below a heading, up to the next heading of the same or a higher level; empty: no such heading. */
export function sectionOf(text: string, heading: string): string {
  const level = heading.indexOf(' ')
  const [, rest = ''] = `\n${text}`.split(`\n${heading}\n`)
  return rest.split(new RegExp(`^#{1,${level}} `, 'm'))[0] ?? ''
}
