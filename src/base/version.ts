// The version of the program, from the package.json that lies two folders above this file, in sources and in a build.
import { readFileSync } from 'node:fs'

export function readVersion(): string {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
    version: string
  }
  return version
}
