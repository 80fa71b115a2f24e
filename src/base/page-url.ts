// Addresses below the public address of a server.

/** The URL of a path of the page. `publicUrl` may end in a slash. */
export const pageUrl = (publicUrl: string, path: string): string => `${publicUrl.replace(/\/+$/, '')}${path}`
