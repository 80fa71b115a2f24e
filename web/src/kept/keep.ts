// A choice of the reader that this browser keeps, as JSON in localStorage. Whatever else wrote there is not trusted: the
// reader of each choice leaves out what it does not know.

import { type ReadonlySignal, signal } from '@preact/signals'
import { parseJson } from '../../../src/base/json.ts'

/** The part of `Storage` that is used. */
export type Shelf = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

export interface Kept<T> {
  readonly now: ReadonlySignal<T>
  set(value: T): void
}

/** Characters of a stored choice; a longer text counts as none. */
export const MOST_STORED = 200_000

/** A browser may forbid the storage; choices then last as long as the page. */
function findShelf(): Shelf | null {
  try {
    return localStorage
  } catch {
    return null
  }
}

export const parse = (text: string | null): unknown =>
  text === null || text.length > MOST_STORED ? undefined : parseJson(text)

/** `read` makes a choice of any stored value, and of undefined the default, which is not stored. Other tabs follow. */
export function keep<T>(name: string, read: (stored: unknown) => T, shelf: Shelf | null = findShelf()): Kept<T> {
  const load = (): T => {
    try {
      return read(parse(shelf?.getItem(name) ?? null))
    } catch {
      return read(undefined)
    }
  }
  const now = signal(load())
  const unset = JSON.stringify(read(undefined))
  globalThis.addEventListener?.('storage', ({ key }: StorageEvent) => {
    if (key === name || key === null) now.value = load()
  })
  return {
    now,
    set(value) {
      now.value = value
      const text = JSON.stringify(value)
      try {
        if (text === unset) shelf?.removeItem(name)
        else shelf?.setItem(name, text)
      } catch {
        // The storage is full or forbidden: the choice lasts as long as the page.
      }
    },
  }
}
