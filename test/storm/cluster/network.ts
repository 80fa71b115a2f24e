// A network of machines inside this one: network namespaces on a bridge, which only root can make. Packets of a machine
// that is cut off are dropped, both ways and without a word. Input: the names of the machines. Output: their addresses,
// and how to run a program there.
import { spawnSync } from 'node:child_process'

/** Of documentation (RFC 5737): no real network has it. */
const NET = '203.0.113'

export interface Machine {
  host: string
  /** The command line that runs a program there. */
  wrap(args: readonly string[]): string[]
  /** Null: this network cannot cut it off. */
  cut: (() => void) | null
  rejoin(): void
}

export interface Network {
  /** Where the programs of this machine are reached from the others. */
  host: string
  machines: readonly Machine[]
  /** Why no machine can be cut off; null: each can. */
  whyWhole: string | null
  remove(): void
}

const run = (...args: string[]): void => {
  const [program = '', ...rest] = args
  const { status, stderr, error } = spawnSync(program, rest, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`${args.join(' ')}: ${error?.message ?? stderr.trim()}`)
}

/** Without the rights or the programs, all machines are this one. */
export function makeNetwork(names: readonly string[]): Network {
  const bridge = `storm${process.pid}`
  const spaces = names.map((name) => `storm${process.pid}-${name}`)
  const remove = () => {
    for (const space of spaces) spawnSync('ip', ['netns', 'del', space])
    spawnSync('ip', ['link', 'del', bridge])
  }
  try {
    run('iptables', '--version')
    run('ip', 'link', 'add', bridge, 'type', 'bridge')
    run('ip', 'address', 'add', `${NET}.1/24`, 'dev', bridge)
    run('ip', 'link', 'set', bridge, 'up')
    const machines = spaces.map((space, at) => makeMachine(space, bridge, at))
    return { host: `${NET}.1`, machines, whyWhole: null, remove }
  } catch (error) {
    remove()
    const here: Machine = { host: '127.0.0.1', wrap: (args) => [...args], cut: null, rejoin: () => {} }
    return {
      host: here.host,
      machines: names.map(() => here),
      whyWhole: (error as Error).message,
      remove: () => {},
    }
  }
}

function makeMachine(space: string, bridge: string, at: number): Machine {
  const [host, ours] = [`${NET}.${at + 2}`, `${bridge}-${at}`]
  const inside = (...args: string[]) => run('ip', 'netns', 'exec', space, ...args)
  run('ip', 'netns', 'add', space)
  run('ip', 'link', 'add', ours, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', space)
  run('ip', 'link', 'set', ours, 'master', bridge, 'up')
  inside('ip', 'address', 'add', `${host}/24`, 'dev', 'eth0')
  inside('ip', 'link', 'set', 'eth0', 'up')
  inside('ip', 'link', 'set', 'lo', 'up')
  return {
    host,
    wrap: (args) => ['ip', 'netns', 'exec', space, ...args],
    cut: () => {
      inside('iptables', '-I', 'INPUT', '-i', 'eth0', '-j', 'DROP')
      inside('iptables', '-I', 'OUTPUT', '-o', 'eth0', '-j', 'DROP')
    },
    rejoin: () => inside('iptables', '-F'),
  }
}
