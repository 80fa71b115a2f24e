// The URL of a Redis behind Sentinels: `redis+sentinel://user:password@host:port,host:port/name/database`. The user, the
// password and the database are those of Redis. Pure.

export interface SentinelPlace {
  sentinels: { host: string; port: number }[]
  /** The name of the master in the configuration of the Sentinels. */
  name: string
  username?: string
  password?: string
  db: number
}

const FORM =
  /^redis\+sentinel:\/\/(?:(?<user>[^:@/]*)(?::(?<password>[^@/]*))?@)?(?<hosts>[^@/?#]+)\/(?<name>[\w.-]+)(?:\/(?<db>\d{1,5}))?$/
const HOST = /^(?<host>[\w.-]+|\[[0-9a-fA-F:.]+\])(?::(?<port>\d{1,5}))?$/
const DEFAULT_PORT = 26_379
const MOST_PORT = 65_535
/** More than any installation needs. */
const MOST_SENTINELS = 16

/** Null: the text is no such URL. */
export function parseSentinelUrl(text: string): SentinelPlace | null {
  const { user, password, hosts = '', name = '', db = '0' } = FORM.exec(text)?.groups ?? {}
  const sentinels = hosts.split(',').map((each) => {
    const { host = '', port = DEFAULT_PORT } = HOST.exec(each)?.groups ?? {}
    return { host: host.replace(/^\[|\]$/g, ''), port: Number(port) }
  })
  const isWrong = sentinels.some(({ host, port }) => host === '' || port < 1 || port > MOST_PORT)
  if (isWrong || sentinels.length > MOST_SENTINELS) return null
  try {
    const username = user && { username: decodeURIComponent(user) }
    return { sentinels, name, db: Number(db), ...username, ...(password && { password: decodeURIComponent(password) }) }
  } catch {
    return null
  }
}
