import { Panel } from '../parts/panel.tsx'
import { useTitle } from '../parts/use-title.ts'

export function NotFound() {
  useTitle('Not found')
  return (
    <Panel title="There is no such page" level={1} class="narrow">
      <p class="note">
        A token is at <code>/token/0x…</code>, a wallet at <code>/wallet/0x…</code>. <a href="/">All tokens</a>
      </p>
    </Panel>
  )
}
