// The packages that build the program from its sources. They are for development, because an installed package is built
// already, and should be small. With NODE_ENV=production or --omit=dev npm leaves them out of a checkout too.
import { createRequire } from 'node:module'

const TOOLS = ['prisma/build/index.js', 'esbuild', 'swagger-ui-dist/package.json', 'preact']

/** Ends the process with one sentence unless the tools are installed. Call it where something has to be built. */
export function needBuildTools() {
  const { resolve } = createRequire(import.meta.url)
  try {
    for (const tool of TOOLS) resolve(tool)
  } catch (error) {
    if (error.code !== 'MODULE_NOT_FOUND') throw error
    process.stderr.write(
      'This checkout has to be built first, and the packages for that are not installed (NODE_ENV=production and --omit=dev ' +
        'leave them out): run `npm ci --include=dev`, then the command again.\n',
    )
    process.exit(78)
  }
}
