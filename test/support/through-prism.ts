// The contract's tests through Prism as a validating proxy: `CONTRACT_PROXY` names Prism's program, and every request
// of an operation goes through it. Prism names deviations from docs/openapi.json in a header. In an answer they always
// are a fault; in a request only if the server accepted it.
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { createOpenApi } from '../../src/describe/openapi.ts'

const DESCRIPTION = fileURLToPath(new URL('../../docs/openapi.json', import.meta.url))
const OPERATIONS = Object.entries(createOpenApi().paths).map(([path, methods]) => ({
  pattern: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/?]+')}(\\?|$)`),
  methods: Object.keys(methods).map((method) => method.toUpperCase()),
}))

/** Prism ignores SIGTERM and outlives its parent; so it is killed once nobody writes to the shell any more. */
const WHILE_READ = '"$0" "$@" & prism=$!; cat >/dev/null; kill -KILL $prism'

interface Violation {
  location: string[]
  message: string
}

export interface Prism {
  /** The answer to a request of an operation; null for any other. Throws where Prism found something that is not as described. */
  ask(path: string, init: RequestInit): Promise<Response | null>
  stop(): void
}

/** Starts Prism before a server. */
export async function startPrism(program: string, url: string): Promise<Prism> {
  const args = ['proxy', DESCRIPTION, `${url}/v1`, '--port', '0', '--cors', 'false']
  const child = spawn('sh', ['-c', WHILE_READ, program, ...args], { stdio: ['pipe', 'pipe', 'inherit'] })
  let proxy: string | undefined
  for await (const line of createInterface({ input: child.stdout })) {
    proxy = /listening on (http:\S+)/.exec(line)?.[1]
    if (proxy) break
  }
  if (!proxy) throw new Error('Prism ended before it listened')
  child.stdout.resume()
  return {
    async ask(path, init) {
      const method = init.method ?? 'GET'
      // A path that cannot be decoded ends Prism.
      if (
        !isDecodable(path) ||
        !OPERATIONS.some(({ pattern, methods }) => pattern.test(path) && methods.includes(method))
      )
        return null
      const answer = await fetch(`${proxy}${path}`, init)
      const violations: Violation[] = JSON.parse(answer.headers.get('sl-violations') ?? '[]')
      const faults = violations.filter(({ location }) => location[0] === 'response' || answer.ok)
      if (faults.length > 0) throw new Error(`${method} ${path} ${answer.status}: ${JSON.stringify(faults)}`)
      return answer
    },
    stop: () => void child.stdin.end(),
  }
}

function isDecodable(path: string): boolean {
  try {
    decodeURI(path)
    return true
  } catch {
    return false
  }
}
