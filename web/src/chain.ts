// The chain of this page. One server may have several: the page of `base` is below /base. The server writes both metas.
import { options, type VNode } from 'preact'
import { useLocation } from 'preact-iso'

const contentOf = (name: string): string =>
  globalThis.document?.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content ?? ''

/** Where the paths of this chain begin: nothing, or `/base`. */
const CHAIN_PATH = contentOf('chain')

/** All chains of the server, the default one first; none where there is one only. */
export const CHAINS: readonly { name: string; path: string; isThis: boolean }[] = contentOf('chains')
  .split(' ')
  .filter(Boolean)
  .map((part) => {
    const [name = '', path = ''] = part.split('=')
    return { name, path, isThis: path === CHAIN_PATH }
  })

/** A path of this page, or of the API, on its chain. */
export const onChain = (path: string): string => `${CHAIN_PATH}${path}`

/** The name of what belongs to this chain alone, in a browser whose tabs may show several. */
export const keptName = (name: string): string => `${name}${CHAIN_PATH}`

/** The location below the path of the chain. */
export function useChainLocation() {
  const { path, route, query } = useLocation()
  return {
    query,
    path: path.slice(CHAIN_PATH.length) || '/',
    route: (to: string, isReplaced?: boolean) => route(onChain(to), isReplaced),
  }
}

/** Makes all links to paths of this server links to this chain. */
export function keepLinksOnChain(): void {
  if (CHAIN_PATH === '') return
  const { vnode: before } = options
  options.vnode = (vnode: VNode) => {
    const props = vnode.props as { href?: unknown }
    if (vnode.type === 'a' && typeof props.href === 'string' && props.href.startsWith('/'))
      props.href = onChain(props.href)
    before?.(vnode)
  }
}
