// Runs the program from its sources: `node src/start.mjs serve`. A separate process first builds missing or stale
// files, so that the program keeps no compiler, and none of its memory.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const make = fileURLToPath(new URL('make.mjs', import.meta.url))
const { status } = spawnSync(process.execPath, [make], { stdio: ['ignore', 'inherit', 'inherit'] })
if (status !== 0) process.exit(status ?? 1)
await import(new URL('../.program/main.js', import.meta.url).href)
