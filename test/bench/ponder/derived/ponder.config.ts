// WETH, the factory and its pairs, and the Transfers of every token, as Assay reads them.
import { createConfig, factory } from 'ponder'
import { chains, database, factoryAbi, factoryAddress, pairAbi, range, tokenAbi, wethAbi, wethAddress } from '../chain'

// biome-ignore lint/style/noDefaultExport: Ponder reads it.
export default createConfig({
  database,
  chains,
  contracts: {
    Factory: { ...range, abi: factoryAbi, address: factoryAddress },
    Pair: {
      ...range,
      abi: pairAbi,
      address: factory({ address: factoryAddress, event: factoryAbi[0], parameter: 'pair' }),
    },
    Token: { ...range, abi: tokenAbi },
    Weth: { ...range, abi: wethAbi, address: wethAddress },
  },
})
