// The setup of every test file. Files of a run share their processes and imported modules, so each file must leave a
// process unchanged: this runs again for each file.
import { afterAll, expect } from 'vitest'
import { removeFolders } from './folder.ts'

// Fails the run for deprecated use of a package, such as two statements at once on one PostgreSQL connection. The
// driver warns of that once per process, and its next version refuses it.
function refuse(warning: Error): void {
  if (warning.name === 'DeprecationWarning') throw warning
}

process.on('warning', refuse)
const environment = { ...process.env }
afterAll(() => {
  process.off('warning', refuse)
  removeFolders()
  expect(process.env, 'the environment, which the next test file shares').toEqual(environment)
})
