// The story of a trader at each width and in both colours.
import { describe, expect, test } from 'vitest'
import '../../web/build.mjs'
import { NO_BROWSER, openBrowser, SKIPPED } from '../support/browser.ts'
import { serveStory, tellStory } from './story.ts'

const served = await serveStory()
const open = openBrowser()

const CASES = [1440, 1024, 768, 390].flatMap((width) => [[width, 'light'] as const, [width, 'dark'] as const])

describe.skipIf(NO_BROWSER)(`the jobs of a trader in a browser ${SKIPPED}`, () => {
  test.each(CASES)('are done by keyboard at %i pixels in %s', async (width, colours) => {
    const tab = await open({ width, height: 844 }, { dark: colours === 'dark' })
    await tellStory(tab, served)
    await tab.page.close()
    expect(tab.problems).toEqual([])
  })
})
