// The yardstick of warm answers: an Express app, as Express makes it, that sends constant JSON. The file named on the command line
// has the values by path; prints its port.
import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import express from 'express'

const values = JSON.parse(readFileSync(String(process.argv[2]), 'utf8')) as Record<string, unknown>
const app = express()
app.get('/{*path}', (request, response) => void response.json(values[request.originalUrl]))
const server = app.listen(0, '127.0.0.1', () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`))
