// PostGraphile over the ledger's tables, as it makes them, with the relations that these have no constraints for. Prints its port.
import { createServer } from 'node:http'
import graphileUtils from 'graphile-utils'
import { postgraphile } from 'postgraphile'

const relations = graphileUtils.makeJSONPgSmartTagsPlugin({
  version: 1,
  config: {
    class: {
      position: { tags: { foreignKey: ['(token_id) references token (id)', '(wallet_id) references wallet (id)'] } },
    },
  },
})
const options = { appendPlugins: [relations], disableDefaultMutations: true, disableQueryLog: true, graphiql: false }
const server = createServer(postgraphile(process.argv[2], 'public', options))
server.listen(0, '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`))
