// The Python client against a live server: its own tests, run by Python, and its types against the API's description.
import { execFile, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { toPythonTypes } from '../../clients/python-types.ts'
import { createOpenApi } from '../../src/describe/openapi.ts'
import { walletAddress } from '../support/seed.ts'
import { createServed } from '../support/served.ts'

const FOLDER = fileURLToPath(new URL('../../clients/python', import.meta.url))
const HAS_PYTHON = spawnSync('python3', ['-c', 'import sys; sys.exit(sys.version_info < (3, 11))']).status === 0

it('the Python client has the types of the API as it is described', () => {
  const api = JSON.parse(JSON.stringify(createOpenApi()))
  const types = readFileSync(`${FOLDER}/assay_client/types.py`, 'utf8')
  expect(types, 'npm run clients makes them anew').toBe(toPythonTypes(api))
})

it.skipIf(!HAS_PYTHON)(
  'the Python client passes its own tests against a live server (skipped where there is no Python 3.11 or newer)',
  async () => {
    const served = await createServed()
    // Nobody checks: a request for a check is answered at once.
    await served.database.pool.query(`UPDATE chain SET checks_off = 'checks_off'`)
    const { key } = await served.knock({ plan: 'api' })
    const narrow = await served.knock({ plan: 'api', requestsPerMinute: 1 })
    const env = {
      ...process.env,
      PYTHONDONTWRITEBYTECODE: '1',
      ASSAY_URL: served.url,
      ASSAY_KEY: key,
      ASSAY_NARROW_KEY: narrow.key,
      ASSAY_WALLET: walletAddress(5),
    }
    const { stderr } = await promisify(execFile)('python3', ['-W', 'error', '-m', 'unittest', '-v', 'test_live'], {
      cwd: FOLDER,
      env,
    })
    expect(stderr).toMatch(/Ran 11 tests[\s\S]*OK/)
  },
)
