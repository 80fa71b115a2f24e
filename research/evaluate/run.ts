// Runs `evaluate` on the arguments of this process.
import { runCommand } from '../command.ts'
import { createEvaluate } from './command.ts'

process.exitCode = await runCommand(createEvaluate, process.argv.slice(2))
