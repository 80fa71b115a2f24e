// The lists of events as two servers give them: all events, and those of some tokens, page by page.

export interface Reader {
  url: string
  key: string
}

const PAGE = 200
/** Identifiers in the line of a list. */
const MOST_NAMED = 8

async function readPage(
  { url, key }: Reader,
  path: string,
): Promise<{ data: { id: string }[]; total: number; block: string | null }> {
  const response = await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${key}` } })
  if (response.status !== 200) throw new Error(`${path}: ${response.status} ${await response.text()}`)
  const body = (await response.json()) as { data: { id: string }[]; total: number }
  return { ...body, block: response.headers.get('assay-block') }
}

async function readList(reader: Reader, path: string, limit = PAGE) {
  const rows: { id: string; text: string; block: string | null }[] = []
  for (let page = 1; ; page += 1) {
    const { data, total, block } = await readPage(reader, `${path}limit=${limit}&page=${page}`)
    rows.push(
      ...data.map((row) => ({
        id: row.id,
        block,
        text: `${JSON.stringify(row)} of page ${page}, ${data.length} of ${total} as of block ${block}`,
      })),
    )
    if (data.length === 0 || page * limit >= total) return rows
  }
}

/** The identifiers of a list, and the blocks of its answers. */
export async function readEventIds(reader: Reader, path: string, limit: number) {
  const rows = await readList(reader, path, limit)
  return { ids: rows.map(({ id }) => id), blocks: new Set(rows.map(({ block }) => block ?? 'none')) }
}

export interface ListDifference {
  path: string
  line: string
  /** Identifiers of the other's list. */
  wanted: string[]
}

/** Compares the lists; returns how many events they have in all, and each list that differs. */
export async function compareLists(
  one: Reader,
  other: Reader,
  tokens: readonly string[],
): Promise<{ events: number; lists: number; differences: ListDifference[] }> {
  const paths = ['/v1/events?', '/v1/events?type=swap&', ...tokens.map((token) => `/v1/events?token_address=${token}&`)]
  const differences: ListDifference[] = []
  let events = 0
  for (const path of paths) {
    const [left, right] = [await readList(one, path), await readList(other, path)]
    events += left.length
    const at = left.findIndex(({ text }, index) => text !== right[index]?.text)
    if (at < 0 && left.length === right.length) continue
    const had = new Set(left.map(({ id }) => id))
    const lacking = right.flatMap(({ id }) => (had.has(id) ? [] : [id])).slice(0, MOST_NAMED)
    const first = `at ${at} ${left[at]?.text} and not ${right[at]?.text}`
    const named = lacking.join(' ') || 'none'
    differences.push({
      path,
      line: `${path} has ${left.length} events and not ${right.length}, and lacks ${named}: ${first}`,
      wanted: right.map(({ id }) => id),
    })
  }
  return { events, lists: paths.length, differences }
}
