// Whether a URL names a node of one's own: nobody bills its calls. Input: a URL. Pure.

/** Loopback, private networks (RFC 1918), and names without a dot, such as those of containers. */
const OWN =
  /^(localhost|127(\.\d+){3}|\[::1\]|10(\.\d+){3}|192\.168(\.\d+){2}|172\.(1[6-9]|2\d|3[01])(\.\d+){2}|[^.[\]:]+)$/

export const isOwnNode = (url: string): boolean => OWN.test(new URL(url).hostname)
