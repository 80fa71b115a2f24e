// Ponder wants an API; the bench asks it only whether it is ready.
import { Hono } from 'hono'

const app = new Hono()

// biome-ignore lint/style/noDefaultExport: Ponder reads it.
export default app
