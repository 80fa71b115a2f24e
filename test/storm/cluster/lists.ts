// The lists of events as two servers give them: all events, and those of some tokens, page by page.

export interface Reader {
  url: string
  key: string
}

const PAGE = 200

async function readPage(
  { url, key }: Reader,
  path: string,
): Promise<{ data: unknown[]; total: number; block: string | null }> {
  const response = await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${key}` } })
  if (response.status !== 200) throw new Error(`${path}: ${response.status} ${await response.text()}`)
  const body = (await response.json()) as { data: unknown[]; total: number }
  return { ...body, block: response.headers.get('assay-block') }
}

async function readList(reader: Reader, path: string): Promise<string[]> {
  const rows: string[] = []
  for (let page = 1; ; page += 1) {
    const { data, total, block } = await readPage(reader, `${path}limit=${PAGE}&page=${page}`)
    rows.push(
      ...data.map((row) => `${JSON.stringify(row)} of page ${page}, ${data.length} of ${total} as of block ${block}`),
    )
    if (data.length === 0 || page * PAGE >= total) return rows
  }
}

/** Compares the lists; returns how many events they have in all, and one line for each list that differs. */
export async function compareLists(
  one: Reader,
  other: Reader,
  tokens: readonly string[],
): Promise<{ events: number; lists: number; differences: string[] }> {
  const paths = ['/v1/events?', '/v1/events?type=swap&', ...tokens.map((token) => `/v1/events?token_address=${token}&`)]
  const differences: string[] = []
  let events = 0
  for (const path of paths) {
    const [left, right] = [await readList(one, path), await readList(other, path)]
    events += left.length
    const at = left.findIndex((row, index) => row !== right[index])
    if (at >= 0 || left.length !== right.length)
      differences.push(
        `${path} has ${left.length} events and not ${right.length}: at ${at} ${left[at]} and not ${right[at]}`,
      )
  }
  return { events, lists: paths.length, differences }
}
