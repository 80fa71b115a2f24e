import { render } from 'preact'
import { findKey } from './api/key.ts'
import { follow } from './api/live.ts'
import { App } from './app.tsx'
import './style.css'

const place = document.getElementById('page')
if (place) render(<App />, place)
follow()
void findKey()
