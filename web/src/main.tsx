import { render } from 'preact'
import { findKey } from './api/key.ts'
import { follow } from './api/live.ts'
import { App } from './app.tsx'
import { keepLinksOnChain } from './chain.ts'
import { followTheme } from './kept/theme.ts'
import { keepScroll } from './scroll.ts'
import './style.css'

followTheme()
keepLinksOnChain()
const place = document.getElementById('page')
if (place) render(<App />, place)
keepScroll()
follow()
void findKey()
