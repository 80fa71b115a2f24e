// The fault of a file of history, in one sentence that names the file and the column.
import { StartupError } from '../../base/errors.ts'

/** The sentence ends the program, because a file does not repair itself. */
export const badFile = (path: string, what: string, cause?: unknown): StartupError =>
  new StartupError(`HISTORY_FILES: ${path}: ${what}`, 78, cause)

export const badColumn = (path: string, column: string, what: string, cause?: unknown): StartupError =>
  badFile(path, `column ${column}: ${what}`, cause)
