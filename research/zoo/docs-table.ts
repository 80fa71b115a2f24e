// Tables that a command measured, in docs/safety.md. Input: the table's name and its lines. Output: the file, with the lines between the marks of
// that name.
import { readFileSync, writeFileSync } from 'node:fs'

const path = new URL('../../docs/safety.md', import.meta.url)

export function writeTable(name: string, lines: readonly string[]): void {
  const [start, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`]
  const text = readFileSync(path, 'utf8')
  const [before, rest = ''] = text.split(start)
  const [, after] = rest.split(end)
  if (after === undefined) throw new Error(`docs/safety.md has no place for the table ${name}`)
  writeFileSync(path, `${before}${start}\n\n${lines.join('\n')}\n\n${end}${after}`)
}
