// Pure. The chains of one installation: `CHAINS=ethereum=URL,base=URL`. The first is the default chain. The name of a
// further one is its path below the address of the server, and its schema in the database.

/** A chain of the installation. */
export interface ChainPlace {
  name: string
  /** Undefined: the default chain's. */
  schema: string | undefined
  /** Undefined: the demo chain. */
  urls: string[] | undefined
}

/** Where the chains of an installation are, as the server of one of them tells it. */
export interface ChainPaths {
  /** What stands before `/v1` of this server's chain: nothing for the default one, or `/base`. */
  path: string
  /** That of each chain by its name, the default one first. */
  all: ReadonlyMap<string, string>
}

/**
 * The paths of the chains that a description of one chain's server lists, by name: the default chain lists all, a further
 * one itself. None: the installation has one chain.
 */
export const chainsToDescribe = (chains: ChainPaths | undefined): [name: string, path: string][] =>
  chains ? [...chains.all].filter(([, path]) => chains.path === '' || path === chains.path) : []

/** More chains than a machine serves. */
export const MOST_CHAINS = 20

const NAME = /^[a-z][a-z0-9_]{0,30}$/
/** The word for the demo chain in place of a URL. */
const DEMO = 'demo'

/** First parts of paths, and schemas that every database has. */
const TAKEN: readonly string[] = [
  ...['v1', 'graphql', 'mcp', 'codex', 'goplus', 'healthz', 'readyz', 'docs', 'assets', 'unsubscribe', 'metrics'],
  ...['llms', 'reference', 'token', 'tokens', 'wallet', 'wallets', 'compare', 'alerts', 'account', 'signup', 'status'],
  ...['explorer', 'public', 'information_schema'],
]

const isUrl = (text: string): boolean => URL.canParse(text) && ['http:', 'https:'].includes(new URL(text).protocol)

/**
 * The chains, or the fault of the text, without any URL, which may have a secret. A part without a name is a further
 * URL of the chain before it.
 */
export function parseChains(text: string): ChainPlace[] | string {
  const chains: ChainPlace[] = []
  for (const part of text.split(',').map((each) => each.trim())) {
    const [, name, own] = /^([^=:/]+)=(.*)$/.exec(part) ?? []
    const url = own ?? part
    const chain = chains.at(-1)
    const place = name ?? chain?.name ?? 'the first chain'
    if (name !== undefined) {
      if (!NAME.test(name)) return 'a name must be small letters, digits and _, beginning with a letter, at most 31'
      if (TAKEN.includes(name) || name.startsWith('pg_')) return `${name} is no name for a chain, because a path has it`
      if (chains.some((each) => each.name === name)) return `${name} is there twice`
      if (chains.length === MOST_CHAINS) return `must be at most ${MOST_CHAINS} chains`
    } else if (!chain) return 'must be like ethereum=URL,base=URL'
    if (url !== DEMO && !isUrl(url)) return `${place} must have a URL that starts with http:// or https://`
    if (name === undefined) {
      if (url === DEMO || !chain?.urls) return `${place} cannot have a URL beside the demo chain`
      chain.urls.push(url)
    } else chains.push({ name, schema: chain ? name : undefined, urls: url === DEMO ? undefined : [url] })
  }
  return chains
}
