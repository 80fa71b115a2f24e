// `mcp`: speaks the Model Context Protocol on standard input and output, and asks a running server with ASSAY_KEY.
import { Command } from 'commander'
import { StartupError } from '../base/errors.ts'
import { readVersion } from '../base/version.ts'
import type { Context } from './context.ts'

export function createMcpCommand({ config, signal }: Context): Command {
  return new Command('mcp')
    .description('Speak the Model Context Protocol on standard input and output, for an agent; asks a running server.')
    .option('--url <url>', 'where the server is', 'http://127.0.0.1:4000')
    .action(async ({ url }: { url: string }) => {
      const { ASSAY_KEY: key } = config()
      if (key === undefined) throw new StartupError('Set ASSAY_KEY to an API key of the server.', 78)
      if (!/^https?:\/\//.test(url) || !URL.canParse(url))
        throw new StartupError('--url must be an address that begins with http:// or https://.', 2)
      const { createRemoteAsk } = await import('../mcp/remote.ts')
      const { serveStdio } = await import('../mcp/stdio.ts')
      await serveStdio(createRemoteAsk(url, key), readVersion(), signal)
    })
}
