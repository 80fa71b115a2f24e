// Runs one of several scripts by its name, such as `npm run bench -- alerts`, and first builds what it needs.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** A script of a folder. */
export interface Script {
  /** Relative to the table that names it. */
  file: string
  /** The npm script that builds what this one needs: generated code and the page, or also the program in `dist`. */
  needs?: 'generate' | 'build'
  /** What it does, as a phrase. */
  does: string
}

/** The scripts of an npm command by their names, and where their table is. */
export interface Scripts {
  command: string
  /** The `import.meta.url` of the table. */
  base: string
  scripts: Readonly<Record<string, Script>>
}

/** Runs the script that the first argument names; its own arguments follow. Without a known name it lists all. */
export async function runScript({ command, base, scripts }: Scripts, args: readonly string[]): Promise<void> {
  const [name = '', ...rest] = args
  const script = Object.hasOwn(scripts, name) ? scripts[name] : undefined
  if (!script) {
    process.stderr.write(`${listOf(command, scripts, name).join('\n')}\n`)
    process.exitCode = 2
    return
  }
  if (script.needs) build(script.needs)
  const url = new URL(script.file, base)
  process.argv = [process.execPath, fileURLToPath(url), ...rest]
  await import(url.href)
}

function listOf(command: string, scripts: Scripts['scripts'], name: string): string[] {
  const names = Object.keys(scripts)
  const width = Math.max(...names.map(({ length }) => length))
  return [
    ...(name === '' ? [] : [`There is no ${name}.`]),
    `npm run ${command} -- NAME, where NAME is one of`,
    ...Object.entries(scripts).map(([key, { does }]) => `  ${key.padEnd(width)}  ${does}`),
  ]
}

function build(script: 'generate' | 'build'): void {
  const { status } = spawnSync('npm', ['run', '-s', script], { stdio: 'inherit', shell: process.platform === 'win32' })
  if (status !== 0) process.exit(status ?? 1)
}
