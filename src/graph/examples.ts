// Queries that stand ready in GraphiQL; a test runs each against the schema.

/** A query with its variables. */
export interface Example {
  query: string
  variables?: Record<string, unknown>
}

export const EXAMPLES: readonly Example[] = [
  {
    query: `# Put your key into "Headers" below, then press the button above.
# The tokens that trend, without those whose liquidity was pulled.
query Trending($filter: TokenFilter) {
  chain { name block { number time } lagBlocks }
  tokens(sort: trending, filter: $filter, limit: 10) {
    total
    items {
      address symbol priceUsd marketCapUsd volume24hUsd liquidityUsd
      holderCount holderGrowth1hPct ageHours riskScore riskLevel riskFlags aiSummary
    }
  }
}
`,
    variables: { filter: { minLiquidityUsd: 1000, excludeFlags: ['liquidity_pulled'] } },
  },
  {
    query: `# From the newest tokens to their largest holders, and to what else these hold.
query Holders {
  tokens(sort: newest, limit: 3) {
    items {
      symbol
      topHolders {
        address holdingPct classification reputationScore netActivity
        wallet {
          pnlEstimateUsd pnlConfidence
          portfolio(limit: 5) { tokenSymbol quantity valueUsd token { riskScore riskFlags } }
        }
      }
    }
  }
}
`,
  },
  {
    query: `# The newest swaps, with the risk of what was traded and the class of who traded.
query Swaps {
  events(type: swap, limit: 20) {
    total
    items {
      timestamp direction amountUsd txHash
      token { symbol riskScore riskLevel }
      wallet { address classification reputationScore }
    }
  }
}
`,
  },
  {
    query: `# Why a score is what it is.
query Why {
  tokens(sort: risk_asc, limit: 3) {
    items {
      symbol
      score {
        riskScore riskLevel confidence
        dimensions { holderConcentrationScore liquidityStabilityScore washTradeScore smartMoneyFlowScore }
        explanation { composite prior evidence contributions { name value weight contribution } floors { reason atLeast } }
        history(limit: 10) { time score level }
      }
    }
  }
}
`,
  },
  {
    query: `# Your plan, what you used, and your alerts.
query Me {
  me {
    email plan activeAlertCount
    limits { requestsPerMinute requestsPerDay activeAlerts }
    usage(limit: 7) { day requests }
  }
  alerts { total items { id name status conditions { minLiquidityUsd maxRiskScore excludeFlags } lastTriggeredAt } }
}
`,
  },
]
