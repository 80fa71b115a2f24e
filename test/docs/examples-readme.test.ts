// Every command and snippet of README.md runs, and its answers have the shape on the page: what a newcomer tries first.
import { holdExamples } from './hold.ts'
import { readPage } from './pages.ts'

holdExamples([readPage('README.md')])
