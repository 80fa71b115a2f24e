// PostGraphile over the ledger's tables, as it makes them, with the relations that these have no constraints for. Prints its port.
import { createServer } from 'node:http'
import { makeJSONPgSmartTagsPlugin } from 'graphile-utils'
import { postgraphile } from 'postgraphile'
import { makePgService } from 'postgraphile/adaptors/pg'
import { grafserv } from 'postgraphile/grafserv/node'
// The names of version 4: `allTokens`, and orders and conditions of every column.
import { makeV4Preset } from 'postgraphile/presets/v4'

const relations = makeJSONPgSmartTagsPlugin({
  version: 1,
  config: {
    class: {
      position: { tags: { foreignKey: ['(token_id) references token (id)', '(wallet_id) references wallet (id)'] } },
    },
  },
})
const service = postgraphile({
  extends: [makeV4Preset({ disableDefaultMutations: true, graphiql: false })],
  plugins: [relations],
  pgServices: [makePgService({ connectionString: process.argv[2], schemas: ['public'] })],
  grafast: { explain: false },
}).createServ(grafserv)
const server = createServer()
await service.addTo(server)
server.listen(0, '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`))
