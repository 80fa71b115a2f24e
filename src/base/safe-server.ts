// Pure. The addresses at which another server is trusted with what it says of callers and payments.

const LOOPBACK = /^(localhost|127\.0\.0\.1|\[::1\])$/

/** Whether nobody between can change its answers: it is `https:`, or on this machine. */
export function isSafeServer(address: string): boolean {
  if (!URL.canParse(address)) return false
  const { protocol, hostname } = new URL(address)
  return protocol === 'https:' || (protocol === 'http:' && LOOPBACK.test(hostname))
}
