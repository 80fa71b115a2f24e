// The story of a trader in one browser; jobs.long.test.ts has it at each width and in both colours.
import { expect, test } from 'vitest'
import '../../web/build.mjs'
import { NO_BROWSER, openBrowser, SKIPPED } from '../support/browser.ts'
import { serveStory, tellStory } from './story.ts'

const served = await serveStory()
const open = openBrowser()

test.skipIf(NO_BROWSER)(
  `a trader finds, judges, follows, compares and exports tokens and makes an alert, by keyboard ${SKIPPED}`,
  async () => {
    const tab = await open({ width: 1440, height: 844 })
    await tellStory(tab, served)
    await tab.page.close()
    expect(tab.problems).toEqual([])
  },
)
