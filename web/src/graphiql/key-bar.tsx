/** @jsxImportSource react */
// The key for all tabs.
import { effect } from '@preact/signals'
import { useEffect, useState } from 'react'
import { isDemoKey, key, setKey } from '../api/key.ts'

export function KeyBar() {
  const [value, setValue] = useState('')
  const [isDemo, setDemo] = useState(false)
  useEffect(
    () =>
      effect(() => {
        setValue(key.value ?? '')
        setDemo(isDemoKey.value)
      }),
    [],
  )
  return (
    <header className="key-bar">
      <a href=".">Assay</a>
      <label>
        API key{' '}
        <input
          type="password"
          value={value}
          placeholder="assay_live_…"
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => setKey(event.currentTarget.value.trim())}
        />
      </label>
      <span role="status">
        {value === ''
          ? 'No key yet: queries need one.'
          : isDemo
            ? 'The key of the demo.'
            : 'Kept until this tab closes.'}
      </span>
    </header>
  )
}
