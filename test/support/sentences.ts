// Plain English: the sentences of texts, and those that a reader has to read twice. One statement a sentence, with a noun that exists
// as its subject. The word list holds phrases without a noun; `CONTRIBUTING.md` has the rule.
import ts from 'typescript'

/** The most words of a sentence, code not counted. */
const MOST_WORDS = 25

/** Phrases that stand where a noun should. */
const NOUNLESS = [
  /\bthat which\b/i,
  /\bwhat (is|are|was|were)\b(?!.*\?)/i,
  /\b(is|are|was|were) (so|another|others)\b(?! that)/i,
  /\bof which\b/i,
  /\belse stayed\b/i,
]

export interface Sentence {
  text: string
  /** From 1. */
  line: number
}

/** Each sentence with its fault: too many words, or a phrase of the list. */
export function findFaults(sentences: Iterable<Sentence>): string[] {
  const faults: string[] = []
  for (const { text, line } of sentences) {
    const words = text.replace(/`[^`]*`/g, 'code').split(/\s+/).length
    const phrase = NOUNLESS.map((pattern) => pattern.exec(text)?.[0]).find((found) => found !== undefined)
    if (words > MOST_WORDS) faults.push(`${line}: ${words} words: ${text}`)
    else if (phrase !== undefined) faults.push(`${line}: "${phrase}": ${text}`)
  }
  return faults
}

/** The sentences of a text without markup. A colon before a capital ends one too, and so does an item of a list. */
export function* sentencesOf(text: string, line: number): Generator<Sentence> {
  for (const item of text.split(/\n\s*- /)) {
    const plain = item.replace(/\s+/g, ' ').trim()
    for (const part of plain.split(/(?<=[.!?:;])\s+(?=[A-Z`"([*])/)) if (part !== '') yield { text: part, line }
  }
}

/** The sentences of a source's comments, and of its tests' titles. */
export function* sentencesOfSource(path: string, text: string): Generator<Sentence> {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
  const lineAt = (position: number) => source.getLineAndCharacterOfPosition(position).line + 1
  for (const { pos, words } of joinLines(text, commentsOf(source, text))) yield* sentencesOf(words, lineAt(pos))
  if (!/\.test\.tsx?$/.test(path)) return
  for (const title of titlesOf(source)) yield* sentencesOf(title.text, lineAt(title.pos))
}

/** Comments by their start, in order. A position may be visited for several nodes. */
function commentsOf(source: ts.SourceFile, text: string): ts.CommentRange[] {
  const found = new Map<number, ts.CommentRange>()
  const visit = (node: ts.Node) => {
    const ranges = [
      ...(ts.getLeadingCommentRanges(text, node.getFullStart()) ?? []),
      ...(ts.getTrailingCommentRanges(text, node.end) ?? []),
    ]
    for (const range of ranges) found.set(range.pos, range)
    ts.forEachChild(node, visit)
  }
  visit(source)
  return [...found.values()].sort((a, b) => a.pos - b.pos)
}

/** Adjacent line comments are one text. Directives of tools are none. */
function joinLines(text: string, ranges: readonly ts.CommentRange[]): { pos: number; words: string }[] {
  const joined: { pos: number; end: number; words: string; isLine: boolean }[] = []
  for (const { pos, end, kind } of ranges) {
    const isLine = kind === ts.SyntaxKind.SingleLineCommentTrivia
    const words = text
      .slice(pos, end)
      .replace(/^\/\*\*?|\*\/$/g, '')
      .replace(/^\s*(\*|\/\/+)\s?/gm, '')
    if (/^\s*(biome-ignore|@ts-|@vitest|#__)/.test(words)) continue
    const last = joined.at(-1)
    if (
      last?.isLine &&
      isLine &&
      /^\s*$/.test(text.slice(last.end, pos)) &&
      text.slice(last.end, pos).split('\n').length === 2
    ) {
      last.words += `\n${words}`
      last.end = end
    } else joined.push({ pos, end, words, isLine })
  }
  return joined
}

function titlesOf(source: ts.SourceFile): { pos: number; text: string }[] {
  const titles: { pos: number; text: string }[] = []
  const visit = (node: ts.Node) => {
    if (ts.isCallExpression(node) && /^(test|it|describe)\b/.test(node.expression.getText())) {
      const [title] = node.arguments
      if (title && ts.isStringLiteralLike(title)) titles.push({ pos: title.getStart(), text: title.text })
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return titles
}
