// Addresses below the public address of a server.

/** The public address of the installation, above that of a further chain at this path. */
export const rootUrlOf = (publicUrl: string, chainPath: string): string =>
  chainPath === '' ? publicUrl : publicUrl.replace(new RegExp(`${chainPath}/?$`), '')

/** The URL of a path of the page. `publicUrl` may end in a slash. */
export const pageUrl = (publicUrl: string, path: string): string => `${publicUrl.replace(/\/+$/, '')}${path}`
