// Temporary folders of a test file, removed at its end.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'

const made: string[] = []
afterAll(() => {
  for (const folder of made) rmSync(folder, { recursive: true, force: true })
})

/** An empty folder; its name begins with `name`. */
export function makeFolder(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `assay-${name}-`))
  made.push(folder)
  return folder
}
