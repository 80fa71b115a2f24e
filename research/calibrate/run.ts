// Runs `calibrate` on the arguments of this process.
import { runCommand } from '../command.ts'
import { createCalibrate } from './command.ts'

process.exitCode = await runCommand(createCalibrate, process.argv.slice(2))
