// Temporary folders of a test file, removed at its end.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const made: string[] = []

/** An empty folder; its name begins with `name`. */
export function makeFolder(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `assay-${name}-`))
  made.push(folder)
  return folder
}

/** Removes the folders that the test file made; `setup.ts` calls it. */
export function removeFolders(): void {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true })
}
