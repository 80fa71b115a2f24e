// The example queries in GraphiQL's tabs. They have no variables, because GraphiQL accepts none here, and fit half of a
// screen's width. A test runs each of them.

/** One query per tab, each with a name. */
export const EXAMPLES: readonly { query: string }[] = [
  {
    query: `# Put your key into the bar above, and run this.
# Trending tokens whose liquidity was not pulled.
query Trending {
  chain { name block { number time } lagBlocks }
  tokens(
    first: 10
    filter: {
      minLiquidityUsd: 1000
      excludeFlags: [liquidity_pulled]
    }
  ) {
    total
    nodes {
      address symbol priceUsd marketCapUsd
      volume24hUsd liquidityUsd
      holderCount holderGrowth1hPct ageHours
      riskScore riskLevel riskFlags aiSummary
    }
  }
}
`,
  },
  {
    query: `# From the newest tokens to their largest holders,
# and to the other tokens of those holders.
query Holders {
  tokens(
    orderBy: { field: created_at }
    first: 3
  ) {
    nodes {
      symbol
      topHolders {
        address holdingPct classification
        reputationScore netActivity
        wallet {
          pnlEstimateUsd pnlConfidence
          portfolio(limit: 5) {
            tokenSymbol quantity valueUsd
            token { riskScore riskFlags }
          }
        }
      }
    }
  }
}
`,
  },
  {
    query: `# The newest swaps, the risk of the traded tokens,
# and the classes of the traders.
query Swaps {
  events(filter: { types: [swap] }, first: 20) {
    total
    nodes {
      timestamp direction amountUsd transactionHash
      token { symbol riskScore riskLevel }
      wallet {
        address classification reputationScore
      }
    }
  }
}
`,
  },
  {
    query: `# The most profitable wallets, and the largest
# trades of such wallets this week.
query Leaders {
  wallets(
    filter: { kinds: [account], minTradeCount: 10 }
    orderBy: { field: realised_usd }, first: 10
  ) {
    total
    nodes {
      address classification reputationScore
      realisedUsd realisedThisWeekUsd tradeCount
      positions(status: closed, first: 3) {
        nodes { tokenSymbol realisedUsd lastAt }
      }
    }
  }
  events(
    first: 10
    filter: {
      types: [swap], minAmountUsd: 1000
      walletClassifications: [smart_money, whale]
    }
  ) {
    nodes {
      timestamp direction amountUsd tokenSymbol
    }
    pageInfo { hasNextPage endCursor }
  }
}
`,
  },
  {
    query: `# The reasons of a score.
query Why {
  tokens(
    orderBy: { field: risk_score, direction: asc }
    first: 3
  ) {
    nodes {
      symbol
      score {
        riskScore riskLevel confidence
        dimensions {
          holderConcentrationScore
          liquidityStabilityScore
          washTradeScore
          smartMoneyFlowScore
        }
        explanation {
          base composite pullChance30dPct
          reasons { kind text points }
          contributions { name value contribution }
          floors { finding atLeast }
        }
        history(limit: 10) {
          time score level
        }
      }
    }
  }
}
`,
  },
  {
    query: `# The pools of the deepest tokens, and until when
# their liquidity is locked.
query Pools {
  tokens(
    orderBy: { field: liquidity_usd }
    first: 5
  ) {
    nodes {
      symbol liquidityUsd
      pools { nodes {
        type feePct liquidityUsd
        locks(limit: 3) { endsAt sharePct counts }
      } }
    }
  }
}
`,
  },
  {
    query: `# Your plan, your usage, and your alerts.
query Me {
  me {
    email plan activeAlertCount
    limits {
      requestsPerMinute requestsPerDay activeAlerts
    }
    usage(limit: 7) { date requests }
  }
  alerts {
    total
    nodes {
      id name status lastTriggeredAt
      conditions {
        minLiquidityUsd maxRiskScore excludeFlags
      }
    }
  }
}
`,
  },
]
