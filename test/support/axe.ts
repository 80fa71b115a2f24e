// axe over a page in a browser.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface Findings {
  violations: { id: string; nodes: { html: string }[] }[]
}

interface AuditOptions {
  /** These rules alone. */
  rules?: readonly string[]
  /** A selector of the only part to look at; rules about whole pages do not apply to it. */
  within?: string
}

/** What axe finds wrong, in words. */
export async function audit(page: Page, { rules, within }: AuditOptions = {}): Promise<string[]> {
  if (!(await page.evaluate(`'axe' in window`))) await page.evaluate(AXE)
  // Content under the footer at the edge of the window can be scrolled into view.
  await page.evaluate(`document.querySelector('.bottom')?.style.setProperty('position', 'static')`)
  // The size of targets is a rule that axe leaves off by default, and that Lighthouse asks for.
  const chosen = rules ? { runOnly: rules } : { rules: { 'target-size': { enabled: true } } }
  const options = JSON.stringify({ resultTypes: ['violations'], ...chosen })
  const { violations } = await page.evaluate<Findings>(`axe.run(${within ? `'${within}'` : 'document'}, ${options})`)
  return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)
}
