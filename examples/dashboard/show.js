// Makes elements of values. Everything from the chain becomes text, never markup: names are written by strangers.
export function el(name, attributes = {}, ...children) {
  const element = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith('on')) element.addEventListener(key.slice(2), value)
    else if (value !== null && value !== undefined) element.setAttribute(key, value)
  }
  element.append(...children.map((child) => child ?? ''))
  return element
}

const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumSignificantDigits: 4 })
/** null is not known, and never 0. */
export const number = (value) => (value === null || value === undefined ? '–' : compact.format(value))
export const usd = (value) =>
  value === null || value === undefined ? '–' : `${value < 0 ? '−' : ''}$${compact.format(Math.abs(value))}`
export const percent = (value) =>
  el(
    'span',
    { class: value > 0 ? 'up' : value < 0 ? 'down' : '' },
    value === null || value === undefined ? '–' : `${value.toFixed(1)} %`,
  )
const short = (address) => `${address.slice(0, 6)}…${address.slice(-4)}`
export const tokenLink = ({ address, symbol }) =>
  el('a', { href: `#/token/${address}`, title: address }, symbol || short(address))
export const walletLink = (address) => el('a', { href: `#/wallet/${address}`, title: address }, short(address))

/** A table; a column with `order` sorts when its header is clicked. */
export function table(columns, rows, { order, onorder } = {}) {
  const head = columns.map(({ title, field, text }) => {
    const direction = field && order?.field === field ? order.direction : null
    const label = field
      ? el(
          'button',
          { type: 'button', onclick: () => onorder(field) },
          title,
          direction === 'asc' ? ' ▲' : direction ? ' ▼' : '',
        )
      : title
    return el(
      'th',
      { class: text ? 'text' : null, 'aria-sort': direction && (direction === 'asc' ? 'ascending' : 'descending') },
      label,
    )
  })
  const body = rows.map((row) =>
    el('tr', {}, ...columns.map(({ cell, text }) => el('td', { class: text ? 'text' : null }, cell(row)))),
  )
  return el('table', {}, el('thead', {}, el('tr', {}, ...head)), el('tbody', {}, ...body))
}

export const facts = (pairs) =>
  el('dl', {}, ...pairs.map(([name, value]) => el('div', {}, el('dt', {}, name), el('dd', {}, value))))
