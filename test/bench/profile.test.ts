// A profile attributes the time of a request to parts of the code.
import { describe, expect, it } from 'vitest'
import { type Frame, partOf, sharesOf } from './profile.ts'

const frame = (url: string, functionName = 'work'): Frame => ({ functionName, url })
const http = frame('node:_http_outgoing')
const express = frame('file:///a/node_modules/express/lib/application.js')
const guard = frame('file:///a/dist/access/limits.js')
const pg = frame('file:///a/node_modules/pg/lib/client.js')

describe('a sample of the profile', () => {
  it('counts for the innermost code that has a label', () => {
    expect(partOf([frame('node:internal/streams/writable'), pg, express])).toBe('SQL')
    expect(partOf([http, express])).toBe('HTTP')
    expect(partOf([frame('', 'writev'), frame('node:net'), http, pg])).toBe('HTTP')
    expect(partOf([frame('', 'json_stringify'), express])).toBe('JSON')
    expect(partOf([frame('', '(garbage collector)')])).toBe('garbage')
    expect(partOf([frame('', '(program)')])).toBe('HTTP')
    expect(partOf([frame('node:internal/timers')])).toBe('other')
  })

  it('counts for the guard with all that the guard asks for', () => {
    expect(partOf([http, pg, guard, express])).toBe('guard and limits')
  })

  it('counts for nothing while the thread is idle', () => {
    const nodes = [
      { id: 1, callFrame: frame('', '(root)'), children: [2, 3] },
      { id: 2, callFrame: frame('', '(idle)') },
      { id: 3, callFrame: pg },
    ]
    const shares = sharesOf({ nodes, samples: [2, 3, 3], timeDeltas: [900, 50, 50] })
    expect([shares.SQL, shares.other]).toEqual([1, 0])
  })
})
