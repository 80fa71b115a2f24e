"""The types of the API. Made by `npm run clients` from docs/openapi.json: not to be edited."""

from __future__ import annotations

from typing import Generic, Literal, NotRequired, TypedDict, TypeVar

Item = TypeVar("Item")


class Page(TypedDict, Generic[Item]):
    """One page of a list."""

    data: list[Item]
    total: int
    page: int
    limit: int


RiskLevel = Literal["low", "medium", "high", "critical"]
Classification = Literal["smart_money", "early_mover", "sniper", "whale", "rug_puller", "liquidity_provider", "bot", "developer", "sybil", "retail", "contract", "unknown", "pool", "burned", "locker", "exchange", "relayer"]
RiskFlag = Literal["wash_trading", "liquidity_pulled", "concentrated_ownership", "sybil_cluster", "smart_money_exiting"]
Confidence = Literal["low", "medium", "high"]
ReasonKind = Literal["danger", "caution", "comfort", "fact"]
SellCheckStatus = Literal["checked", "not_checked"]
SellCheckReason = Literal["checks_off", "vouched_by_preset", "low_liquidity", "few_buyers", "waits_for_check", "no_pool", "no_holders", "exchange_not_supported", "node_cannot_simulate", "node_failed", "out_of_time", "just_bought"]
FindingTopic = Literal["sale", "liquidity", "owner", "maker", "holders", "market", "age"]
NetActivity = Literal["accumulating", "distributing", "neutral", "inactive"]
PoolType = Literal["v2", "v3", "v4", "coins", "curve"]
Interval = Literal["m1", "m5", "m15", "h1", "h4", "d1"]
TraderOrder = Literal["realised_usd", "realised_loss_usd", "volume_usd"]
LaunchGroupName = Literal["snipers", "bundlers", "insiders", "developer", "fresh"]
LaunchUnknown = Literal["money", "opening_unknown", "events_removed", "deployer_unknown", "wallet_ages_unknown", "supply_unknown", "too_many_events", "events_differ", "supply_shrank"]
SellCheckMethod = Literal["simulation", "override", "constructor", "transfer"]
PowerKind = Literal["stop_sales", "pause", "blacklist", "fee", "limits", "mint", "take", "upgrade", "destroy"]
PowerHolderKind = Literal["account", "contract", "multisig", "timelock", "anyone", "time", "nobody_known", "empty_address", "unknown"]
ScoreFinding = Literal["wash_trading", "liquidity_pulled", "concentrated_ownership", "sybil_cluster", "smart_money_exiting", "fell_within_a_day", "fell_within_a_month", "opener_emptied", "not_priced", "barely_known", "cannot_sell", "balances_gone", "extreme_tax", "taken_without_approval", "nobody_can_buy", "late_mint", "time_bomb", "spends_without_allowance", "hidden_power", "confiscating_power", "high_tax", "open_power", "hides_from_simulation", "answers_differ", "few_buyers_sold", "run_of_buys", "new_buyers_refused", "young", "low_confidence", "one_wallet_can_withdraw", "withdrawal_unknown", "contract_not_checked", "pull_likely", "recently_higher", "deployer_pulled"]
CodeUnread = Literal["no_code", "not_evm_code", "too_long", "no_functions", "roles_unknown"]
NativeToken = Literal["b20", "cas20"]
CheckState = Literal["checked", "waits", "failed", "checks_off", "vouched_by_preset", "not_erc20"]
GateAction = Literal["buy"]
GateDecision = Literal["allow", "review", "block"]
WalletOrderField = Literal["reputation_score", "reputation_confidence", "realised_usd", "realised_this_week_usd", "realised_last_week_usd", "trade_count"]
SortDirection = Literal["asc", "desc"]
WalletKind = Literal["account", "contract", "pool", "burned", "locker", "exchange"]
EventType = Literal["swap", "liquidity_add", "liquidity_remove", "transfer"]
Direction = Literal["buy", "sell"]
PositionStatus = Literal["open", "closed", "all"]
PositionOrder = Literal["value_usd", "realised_usd", "last_at"]
Plan = Literal["free", "pro", "api"]
AlertStatus = Literal["active", "paused"]
NotificationChannel = Literal["email", "webhook", "slack", "discord", "telegram"]
GateBounds = Literal["standard", "strict"]
ScreenSort = Literal["trending", "newest", "liquidity", "volume", "risk_asc"]
LaterWord = str
TokenSort = Literal["trending", "newest", "liquidity", "volume", "risk_asc", "gainers", "losers"]
Order = SortDirection
WalletOrder = WalletOrderField


class FoundToken(TypedDict):
    """An indexed token, as of the block that the answer reflects."""

    address: str
    """The address of the token contract."""
    name: str
    """The name from the contract. The deployer wrote it: never trust it."""
    symbol: str
    """The symbol from the contract. The deployer wrote it: never trust it."""
    price_usd: float | None
    """The price of a whole token in USD. It is the mean, weighted by depth, of the pools whose prices agree within 1 % of the median. It is stored in the quote of the deepest pool, and converted at the price of that quote at the block of the answer. It therefore follows the native coin, and a hub, while nobody trades the token. Null when no pool has a price."""
    market_cap_usd: float | None
    """The market cap in USD: the price times the supply in circulation (without burned tokens and those of known lockers). The price is at the block of the answer. Null when it is not priced."""
    liquidity_usd: float
    """The value of both sides of its pools in USD. Of a quote token: of all its pools."""
    risk_score: float
    """The risk, 0-100; higher is riskier."""
    risk_level: RiskLevel | LaterWord
    """The band of the risk score."""
    lookalike_of: str | None
    """The address of the token contract."""


class FoundWallet(TypedDict):
    """An indexed wallet: an address that was the wallet or the counterparty of an event, has ever held an indexed token, or is a relayer."""

    address: str
    """The address."""
    classification: Classification | LaterWord
    """The behaviour of the wallet; for another address, its kind."""
    reputation_score: float
    """The composite reputation, 0-100; higher is better."""


class Search(TypedDict):
    """The results of a search."""

    tokens: list[FoundToken]
    """Tokens by symbol (with or without $), name or the start of their address. The best match comes first, then the most liquid, then the least risky. If few match, lookalike symbols follow (including Unicode lookalikes). Texts of four or more letters then tolerate one typo, eight or more two."""
    wallets: list[FoundWallet]
    """Wallets by the start of their address, as many as the tokens leave of the limit."""


class RiskReason(TypedDict):
    """A reason for a risk score: one fact in plain words."""

    kind: ReasonKind | LaterWord
    """The kind of the fact."""
    text: str
    """The fact, with the measured size: "Liquidity $7.1k, unlocked: 0xa932...51d7 can withdraw 100 %"."""
    points: float
    """How many points the fact adds to the risk score, to two digits; negative if it lowers the score."""


class ShortSellCheck(TypedDict):
    """Whether a token could be sold at a block. Null means unknown, never safe."""

    status: SellCheckStatus | LaterWord
    """Whether a sale was tried."""
    sellable: bool | None
    """Whether holders could sell at the checked block; null if unknown."""
    sell_tax_pct: float | None
    """The loss of a trial sale to the contract, in percent."""
    checked_at: str | None
    """The time of that block."""
    reason: SellCheckReason | LaterWord | None
    """The reason why no trial gave an answer; null after one that did."""


class VerdictFinding(TypedDict):
    """One fact about a token."""

    kind: ReasonKind | LaterWord
    """Its kind. A danger means a level of at least `high`; below it what could harm is a caution."""
    topic: FindingTopic | LaterWord
    """What it is about."""
    severity: float
    """The least risk that the fact alone implies, 0-100 points."""
    text: str
    """The fact with the measured size."""
    points: float
    """How many points the fact adds to the risk score, to two digits; negative if it lowers the score."""
    since: str | None
    """When a check saw it; null: it is as of the block of the score."""
    block: int | None
    """The block at which a check saw it; null: the block of the score."""


class VerdictUnknown(TypedDict):
    """Something that nobody knows about a token. It never speaks for it."""

    topic: FindingTopic | LaterWord
    """What it is about."""
    text: str
    """What is unknown: "Who can withdraw its liquidity"."""


class AlikeTokens(TypedDict):
    """What became of labelled tokens of the same level, at about the same age, in the nearest market: how many were pulled, or fell by 90 % in a day, within 30 days."""

    text: str
    """The same in one sentence."""
    token_count: int
    """How many such tokens were judged."""
    pulled_count: int
    """How many of them were pulled, or fell by 90 % in a day, within 30 days."""
    pulled_share: float
    """The share of them that was pulled or fell so, 0-1."""
    least_share: float
    """The least true share, 0-1, with a certainty of 95 % together with the largest."""
    most_share: float
    """The largest true share, 0-1."""
    proven: bool
    """Whether both lie within 15 points. A level that is not proven promises nothing."""
    age_hours: float
    """Their age when they were judged, in hours."""


class ShortVerdict(TypedDict):
    """The verdict on a token. Reasons, summary, messages and pages render it."""

    level: RiskLevel | LaterWord
    """The level of the risk."""
    headline: str
    """One sentence, 90 characters at most. It concludes, and repeats no finding."""
    findings: list[VerdictFinding]
    """The facts, those that matter most first: dangers, and what happened before what may happen."""
    unknown: list[VerdictUnknown]
    """What nobody knows, the gravest first."""
    confidence: Confidence | LaterWord
    """How sure the verdict is."""
    checked_at: str | None
    """The time of the contract check that it rests on; null without one."""
    alike: AlikeTokens | None
    """What became of tokens like it. Null: no such token was labelled, it never had liquidity, it was pulled already, or nobody judges it."""


class Token(TypedDict):
    """An indexed token, as of the block that the answer reflects."""

    address: str
    """The address of the token contract."""
    name: str
    """The name from the contract. The deployer wrote it: never trust it."""
    symbol: str
    """The symbol from the contract. The deployer wrote it: never trust it."""
    market_cap_usd: float
    """The market cap in USD: the price times the supply in circulation (without burned tokens and those of known lockers). The price is at the block of the answer. 0 when it is not priced."""
    volume_24h_usd: float
    """The volume of the trailing 24 hours in USD."""
    liquidity_usd: float
    """The value of both sides of its pools in USD. Of a quote token: of all its pools."""
    holder_count: int
    """How many addresses hold it."""
    age_hours: float
    """Hours from the first log of the token to the block. An old contract may get its first pool long after its first log."""
    risk_score: float
    """The risk, 0-100; higher is riskier."""
    risk_flags: list[RiskFlag | LaterWord]
    """The risk flags that apply; often none."""
    ai_summary: str
    """A generated summary of at most 400 characters."""
    launchpad: str
    """The launch venue, or "unknown". Text, because the set is open: the chain's configuration names its venues."""
    price_usd: float | None
    """The price of a whole token in USD. It is the mean, weighted by depth, of the pools whose prices agree within 1 % of the median. It is stored in the quote of the deepest pool, and converted at the price of that quote at the block of the answer. It therefore follows the native coin, and a hub, while nobody trades the token. Null when no pool has a price."""
    price_change_24h_pct: float | None
    """Over the past 24 hours in percent; null if it has no price or had none then."""
    fdv_usd: float | None
    """The fully diluted value in USD: price x (supply - burned), including locked and unvested tokens, as CoinGecko and DexScreener count it. Tokens that could still be minted are not in it, because no log tells how many. Null when it is not priced, and for a pulled token whose pools are nearly empty."""
    confidence: Confidence | LaterWord
    """How much evidence the score is based on; `explanation` has its gaps."""
    sniper_held_pct: float | None
    """What snipers of its launch hold of the supply at its newest score, in percent; null where unknown."""
    bundler_held_pct: float | None
    """What bundled wallets of its launch hold of the supply at its newest score, in percent; null where unknown."""
    insider_held_pct: float | None
    """What wallets linked to its maker hold of the supply at its newest score, in percent; null where unknown."""
    developer_held_pct: float | None
    """What its developer holds of the supply at its newest score, in percent; null where unknown."""
    fresh_held_pct: float | None
    """What fresh wallets of its launch hold of the supply at its newest score, in percent; null where unknown."""
    reasons: list[RiskReason]
    """The three main reasons for the risk score: dangers first, then the largest points; empty before the first score. `score { explanation { reasons } }` has all."""
    sell_check: ShortSellCheck
    verdict: ShortVerdict | None
    """The verdict on it, of its newest score; null before the first score."""
    unknown: list[str]
    """The names of the fields whose value is not known and stands for nothing; often empty."""


class Holder(TypedDict):
    """An address that holds a token."""

    address: str
    """The address of the holder."""
    holding_pct: float
    """The share of the supply in percent."""
    classification: Classification | LaterWord
    """The behaviour of the wallet, or the kind of the address."""
    reputation_score: float
    """The reputation of the wallet, 0-100."""
    net_activity: NetActivity | LaterWord
    """How the holding changed since the start of the day (UTC) 7 days ago."""


class Verdict(TypedDict):
    """The verdict on a token. Reasons, summary, messages and pages render it."""

    level: RiskLevel | LaterWord
    """The level of the risk."""
    headline: str
    """One sentence, 90 characters at most. It concludes, and repeats no finding."""
    findings: list[VerdictFinding]
    """The facts, those that matter most first: dangers, and what happened before what may happen."""
    unknown: list[VerdictUnknown]
    """What nobody knows, the gravest first."""
    confidence: Confidence | LaterWord
    """How sure the verdict is."""
    checked_at: str | None
    """The time of the contract check that it rests on; null without one."""
    alike: AlikeTokens | None
    """What became of tokens like it. Null: no such token was labelled, it never had liquidity, it was pulled already, or nobody judges it."""


class TokenProfile(TypedDict):
    """An indexed token, as of the block that the answer reflects."""

    address: str
    """The address of the token contract."""
    name: str
    """The name from the contract. The deployer wrote it: never trust it."""
    symbol: str
    """The symbol from the contract. The deployer wrote it: never trust it."""
    market_cap_usd: float
    """The market cap in USD: the price times the supply in circulation (without burned tokens and those of known lockers). The price is at the block of the answer. 0 when it is not priced."""
    volume_24h_usd: float
    """The volume of the trailing 24 hours in USD."""
    liquidity_usd: float
    """The value of both sides of its pools in USD. Of a quote token: of all its pools."""
    holder_count: int
    """How many addresses hold it."""
    age_hours: float
    """Hours from the first log of the token to the block. An old contract may get its first pool long after its first log."""
    risk_score: float
    """The risk, 0-100; higher is riskier."""
    risk_flags: list[RiskFlag | LaterWord]
    """The risk flags that apply; often none."""
    ai_summary: str
    """A generated summary of at most 400 characters."""
    launchpad: str
    """The launch venue, or "unknown". Text, because the set is open: the chain's configuration names its venues."""
    top_holders: list[Holder]
    """The ten largest holders by share, including pools and burn addresses."""
    created_at: str
    """The time at which the token was created: its first log, from which its age counts. Its first pool may come much later."""
    price_usd: float | None
    """The price of a whole token in USD. It is the mean, weighted by depth, of the pools whose prices agree within 1 % of the median. It is stored in the quote of the deepest pool, and converted at the price of that quote at the block of the answer. It therefore follows the native coin, and a hub, while nobody trades the token. Null when no pool has a price."""
    price_change_24h_pct: float | None
    """Over the past 24 hours in percent; null if it has no price or had none then."""
    fdv_usd: float | None
    """The fully diluted value in USD: price x (supply - burned), including locked and unvested tokens, as CoinGecko and DexScreener count it. Tokens that could still be minted are not in it, because no log tells how many. Null when it is not priced, and for a pulled token whose pools are nearly empty."""
    confidence: Confidence | LaterWord
    """How much evidence the score is based on; `explanation` has its gaps."""
    sniper_held_pct: float | None
    """What snipers of its launch hold of the supply at its newest score, in percent; null where unknown."""
    bundler_held_pct: float | None
    """What bundled wallets of its launch hold of the supply at its newest score, in percent; null where unknown."""
    insider_held_pct: float | None
    """What wallets linked to its maker hold of the supply at its newest score, in percent; null where unknown."""
    developer_held_pct: float | None
    """What its developer holds of the supply at its newest score, in percent; null where unknown."""
    fresh_held_pct: float | None
    """What fresh wallets of its launch hold of the supply at its newest score, in percent; null where unknown."""
    reasons: list[RiskReason]
    """The three main reasons for the risk score: dangers first, then the largest points; empty before the first score. `score { explanation { reasons } }` has all."""
    sell_check: ShortSellCheck
    verdict: Verdict | None
    """The verdict on it, of its newest score; null before the first score."""
    unknown: list[str]
    """The names of the fields whose value is not known and stands for nothing; often empty."""


class TokenHolder(TypedDict):
    """An address that holds a token."""

    address: str
    """The address of the holder."""
    holding_pct: float
    """The share of the supply in percent."""
    quantity: float | None
    """The amount held, in whole tokens; null when the decimals are not known."""
    value_usd: float | None
    """The value of the holding in USD, at most the sum that the pools of the token could pay. Null when the token is not priced."""
    sellable_usd: float | None
    """The estimated proceeds of selling the whole holding at once, in USD and without fees. All pricing pools count as one constant-product pool of their depth, so a tenth of the pool brings less than its value. 0 while the newest contract check says that nobody can sell. Null when the token is not priced, or only by a launch curve."""
    rebasing: bool | None
    """Whether the token changes balances without Transfers. Then quantity and values are sums of Transfers, and the contract has others. Null when no contract check sampled balances."""
    classification: Classification | LaterWord
    """The behaviour of the wallet, or the kind of the address."""
    reputation_score: float
    """The reputation of the wallet, 0-100."""
    reputation_confidence: Confidence | LaterWord
    """How much evidence the reputation is based on."""
    net_activity: NetActivity | LaterWord
    """How the holding changed since the start of the day (UTC) 7 days ago."""
    first_at: str
    """When the address first received or sent the token."""
    last_at: str
    """When the holding last changed."""


class TokenLock(TypedDict):
    """Tokens that a known locker, or the contract of a launch venue, holds until a time, according to logs."""

    locker: str
    """The address of the locker, or of another contract that keeps the shares."""
    owner: str | None
    """The owner in the log of the locker. Null if the log names none, or if several owners locked for the same day without lock numbers."""
    share_pct: float
    """The amount that the locker really holds for this lock, in percent of the supply, or of the pool's shares."""
    ends_at: str
    """The time from which it can be withdrawn."""
    counts: bool
    """Whether scores count it as locked: only if it ends more than 30 days after the hour of the block."""


class TokenPool(TypedDict):
    """A liquidity pool."""

    address: str
    """The address of the pool contract; for a pool known by 32 bytes, that of its manager."""
    pool_id: str | None
    """The 32 bytes by which its manager knows the pool; for a "curve", its token and the beginning of its venue. Null for a pool with its own address."""
    type: PoolType | LaterWord
    """The kind of the pool."""
    factory: str
    """The factory of the pool."""
    launchpad: str
    """The launch venue of the factory. Text, because the set is open: the chain's configuration names its venues."""
    fee_pct: float | None
    """The fee of a trade in percent; null if it changes from trade to trade."""
    price_in_quote: float
    """The price of one whole token of the base side in whole tokens of the quote side."""
    liquidity_usd: float | None
    """Its liquidity in USD; null if hooks settle swaps by their own curve, because no log shows it."""
    peak_liquidity_usd: float
    """The peak of its liquidity, in USD."""
    depth_2pct_usd: float | None
    """The size of a trade, in USD and without fees, that moves the price of this pool by 2 %, in the easier direction. V2: from the reserves. V3: from the active liquidity, as if it continued for 2 %, and at most the smaller side. Null without a priced quote."""
    base_address: str | None
    """The address of the token contract."""
    quote_address: str | None
    """The address of the token contract."""
    quote_symbol: str | None
    """The symbol from the contract. The deployer wrote it: never trust it."""
    created_at: str
    """The time at which it was created."""
    locks: list[TokenLock]
    """The locks of the pool's shares, from the logs of known lockers and of launch venues, the soonest to end first. A lock that never ends has the year 9999. A locker's shares beyond these locks have an unknown end."""


class Candle(TypedDict):
    """The trading of a token in an interval. Prices in the quote are in the last quote of the interval; after a change of the quote they begin anew."""

    start: str
    """The first moment of the interval."""
    open_usd: float | None
    """The first price in USD; null when it was not priced."""
    high_usd: float | None
    """The highest price in USD; null when it was not priced."""
    low_usd: float | None
    """The lowest price in USD; null when it was not priced."""
    close_usd: float | None
    """The last price in USD; null when it was not priced at the end."""
    volume_usd: float
    """The volume in USD."""
    buy_volume_usd: float
    """The part of the volume that bought it, in USD. Trades that paid with it have neither side."""
    sell_volume_usd: float
    """The part of the volume that sold it, in USD."""
    buy_count: int
    """How many swaps bought it."""
    sell_count: int
    """How many swaps sold it."""
    liquidity_usd: float
    """The liquidity at the close in USD."""
    holder_count: int
    """The number of holders at the close."""
    circulating_supply: float | None
    """Whole tokens in circulation at the close, without burned tokens and those of known lockers. Null for unknown decimals, and where an earlier version indexed."""
    market_cap_usd: float | None
    """The market cap at the close in USD: the last price times the supply in circulation then, of a pulled token at most what its pools could pay. Null when it was not priced, and where an earlier version indexed."""


class TokenCandles(TypedDict):
    """An indexed token, as of the block that the answer reflects."""

    data: list[Candle]
    """The candles of intervals, oldest first. Candles of m1 are kept for 2 days, of m5 and m15 for 14 days, longer ones for ever."""


class Trader(TypedDict):
    """A token that a wallet holds or held."""

    wallet_address: str
    """The address."""
    classification: Classification | LaterWord
    """The behaviour of the wallet; for another address, its kind."""
    reputation_score: float
    """The composite reputation, 0-100; higher is better."""
    realised_usd: float
    """The realised profit of its sales, in USD."""
    open_usd: float | None
    """The unrealised profit in USD: the value minus the cost, of the part with a known cost. Null when the token is not priced."""
    bought_usd: float
    """The money spent on it in total, in USD."""
    sold_usd: float
    """The proceeds of its sales in total, in USD."""
    volume_usd: float
    """The money spent on it and the proceeds of its sales, together in USD."""
    trade_count: int
    """How many swaps of the token the wallet made."""
    quantity: float | None
    """The amount held, in whole tokens; null when the decimals are not known."""
    first_at: str
    """The time of the wallet's first event with the token."""
    last_at: str
    """The time at which the holding last changed."""


class TokenTraders(TypedDict):
    """An indexed token, as of the block that the answer reflects."""

    data: list[Trader]
    """The positions of the traders of the token, by profit or volume since it was indexed."""


class LaunchWallet(TypedDict):
    """A wallet of a launch group."""

    address: str
    """The address."""
    first_buy_at: str | None
    """When it first bought the token; null if it did not buy during the launch."""
    held_pct: float | None
    """Its share of the supply without burned tokens, in percent; null if the supply is unknown."""
    bought_usd: float
    """The money spent on the token, in USD."""
    sold_usd: float
    """The proceeds of its sales, in USD."""
    realised_usd: float | None
    """The profit of its sales with a known cost, in USD; null if it sold, and no sale has a known cost."""


class LaunchGroup(TypedDict):
    """A group of wallets around the launch of a token. A number is null where it cannot be known."""

    name: LaunchGroupName | LaterWord
    """The group."""
    definition: str
    """Who belongs to it."""
    unknown: list[LaunchUnknown | LaterWord]
    """Why the group, or its peak and the share that it sold, are unknown; empty if all is known."""
    wallet_count: int | None
    """How many wallets it has; null if unknown."""
    held_pct: float | None
    """The share of the supply without burned tokens that it holds, in percent; null if unknown."""
    peak_pct: float | None
    """The largest share that it held together at the end of a block, from the opening on, in percent of today's supply without burned tokens; null if unknown."""
    peak_at: str | None
    """When it first held that; null if unknown, and if it never held any."""
    sold_pct: float | None
    """What it sold, in percent of today's supply without burned tokens; above 100 if it sold tokens again; null if unknown."""
    sold_usd: float | None
    """The proceeds of its sales, in USD; null if its wallets are unknown."""
    realised_usd: float | None
    """The profit of its sales with a known cost, in USD; null if its wallets are unknown, and if no sale has a known cost."""
    coverage: float | None
    """The share of its proceeds with a known cost, 0-1; 1 without sales; null if its wallets are unknown."""
    wallets: list[LaunchWallet]
    """The wallets of this page; empty past the end."""


class TokenLaunchGroups(TypedDict):
    """The groups of wallets around the launch of a token."""

    opened_at: str | None
    """The time of the first liquidity, from which the groups count; null if unknown."""
    groups: list[LaunchGroup]
    """The groups, always all of them."""


class OperatorVouch(TypedDict):
    """The word of the server's operator for a token. It stands beside what the check found, and changes nothing of it."""

    reason: str
    """The reason that the operator gives."""
    since: str
    """When the operator said so."""


class RpcCall(TypedDict):
    """A JSON-RPC call that anyone can repeat on a node with the state of its block."""

    method: str
    """The method."""
    params: str
    """The parameters as JSON."""


class SellCheck(TypedDict):
    """Whether a token could be sold at a block. Null means unknown, never safe."""

    status: SellCheckStatus | LaterWord
    """Whether a sale was tried."""
    sellable: bool | None
    """Whether holders could sell at the checked block; null if unknown."""
    buyable: bool | None
    """Whether a stranger could buy; null if unknown."""
    buy_tax_pct: float | None
    """The loss of a trial purchase to the contract, in percent."""
    sell_tax_pct: float | None
    """The loss of a trial sale to the contract, in percent."""
    measured_sell_tax_pct: float | None
    """The loss of real sales to the contract, in percent, by their logs."""
    holders_tried: int
    """How many holders were tried."""
    holders_blocked: int
    """How many of them could not send to the pool."""
    checked_block: int | None
    """The block of the check: all calls ran at its end; null before the first check."""
    checked_at: str | None
    """The time of that block."""
    method: SellCheckMethod | LaterWord | None
    """The method of the trial."""
    reason: SellCheckReason | LaterWord | None
    """The reason why no trial gave an answer; null after one that did."""
    refusal: str
    """The contract's reason for a refusal. The contract wrote it: do not trust it."""
    vouch: OperatorVouch | None
    """The word of the operator for this token; null without one. It is no evidence."""
    call: RpcCall | None
    """The call that proves it."""


class Power(TypedDict):
    """A power over the holders of a token."""

    kind: PowerKind | LaterWord
    """The kind of the power."""
    text: str
    """The power as a sentence."""
    function: str
    """The signature of the function, or its selector. Of a token that the chain runs: the role or policy. `code`: that of an address without code."""
    contract: str
    """The contract of the function."""
    holder: str | None
    """The holder of the power; null if none is named."""
    holder_kind: PowerHolderKind | LaterWord
    """The kind of the holder."""
    renounced: bool
    """Whether the power has no holder any more."""
    delay_seconds: int
    """How many seconds the holder has to wait after an announcement; 0 for no wait, or an unknown one."""
    hidden: bool
    """Whether the contract does not name the power."""
    by_mapping: bool
    """Whether only an entry of a mapping admits the holder; false also where that was not shown."""
    proven: bool
    """Whether the power was tried, rather than concluded from a name."""
    call: RpcCall | None
    """The trial, or the code that has the function of that name; null without both."""


class ContractFinding(TypedDict):
    """A finding of the check."""

    name: ScoreFinding | LaterWord
    """Its name."""
    text: str
    """The finding as a sentence."""
    risk_at_least: float
    """The finding keeps the risk score at this or higher, 0 to 100 points; 0: the finding is only a hint."""
    call: RpcCall | None
    """The call that proves it."""


class BalancesDiffer(TypedDict):
    """Sampled holders whose balance by the contract is not the sum of the token's Transfers."""

    asked: int
    """How many holders were sampled."""
    differ: int
    """How many of them have under a tenth of that sum."""
    moved: int
    """How many others have more or less than that sum."""
    rebasing: bool
    """Whether most of them have more or less than that sum. Then the token changes balances without Transfers, and each balance shown here is a sum of Transfers."""


class Multiplier(TypedDict):
    """The multiplier of a token by ERC-8056, such as a share after a split: wallets show raw amounts times it. Prices, supplies and holdings here are of raw amounts."""

    value: float
    """The multiplier at the checked block."""
    next_value: float | None
    """The scheduled multiplier, in shown units a raw unit; null if none is scheduled. It takes effect without a log."""
    effective_at: str | None
    """When the scheduled multiplier takes effect."""


class TokenCode(TypedDict):
    """The code of a token."""

    hash: str
    """Keccak-256 of the token's own code."""
    proxy: str | None
    """The kind of proxy, such as eip1967 or eip1167; null without a proxy."""
    implementation: str | None
    """The contract to which a proxy delegates its calls."""
    owner: str | None
    """The owner that the contract names."""
    admin: str | None
    """The account that may replace the implementation, by its storage."""
    verified_clone: bool
    """Whether it is a minimal clone, whose implementation nobody can replace."""
    unread: CodeUnread | LaterWord | None
    """Why powers may exist that are not listed; null: all that could have one was read."""
    native: NativeToken | LaterWord | None
    """The standard of a token that the chain itself runs; null for a contract."""
    tokens_with_same_code: int
    """How many checked tokens run the same code, including this one; 10,000 at most, and 0 where no code says what it does."""


class TokenSafety(TypedDict):
    """An indexed token, as of the block that the answer reflects."""

    address: str
    """The address of the token contract."""
    symbol: str
    """The symbol from the contract. The deployer wrote it: never trust it."""
    risk_score: float
    """The risk, 0-100; higher is riskier."""
    sell_check: SellCheck
    powers: list[Power] | None
    """The powers over its holders, the gravest first. Null if nothing was read that could show one. It is empty only beside the list of what they were read from."""
    powers_read: list[str]
    """What its powers were read from: contracts with their functions, or roles, policies and features."""
    findings: list[ContractFinding]
    """The findings of the check, the gravest first; empty also without a check."""
    balances_differ: BalancesDiffer | None
    """Whether holders have the balances of its Transfers; null without a sample."""
    multiplier: Multiplier | None
    """The multiplier of its shown amounts; null without one, or without a check."""
    code: TokenCode | None
    """Its code; null if it was not read."""


class TokenCheckPayload(TypedDict):
    """What became of a request for a contract check, and the token after it."""

    state: CheckState | LaterWord
    """What became of the request."""
    address: str
    """The address of the token contract."""
    symbol: str
    """The symbol from the contract. The deployer wrote it: never trust it."""
    risk_score: float
    """The risk, 0-100; higher is riskier."""
    verdict: Verdict | None
    """The verdict on it, of its newest score; null before the first score."""
    sell_check: SellCheck


class GateReason(TypedDict):
    """A rule that speaks against it."""

    name: str
    """The word of the finding, or of the rule. Text, because the set is open."""
    decision: GateDecision | LaterWord
    """What it leads to."""
    text: str
    """The reason with the measured size."""


class LevelRecord(TypedDict):
    """What became of tokens of one level and age in this installation; `accuracy` has all of them."""

    text: str
    """The same in one sentence, or why nobody knows."""
    token_count: int
    """How many tokens were judged."""
    pulled_count: int
    """How many of them were pulled by then."""
    pulled_share: float | None
    """The share of them that was pulled, 0-1; null: no token was judged."""
    horizon_days: int | None
    """How many days after the level was said; null: no token was judged."""


class GateAge(TypedDict):
    """How old a fact is."""

    fact: str
    """The fact: `index`, `score` or `check`."""
    block: int | None
    """The block of the fact; null: there is none."""
    seconds: int | None
    """Its age at the block of the answer, in seconds of the chain; of the index: at the time of the answer. Null: there is no such fact."""


class GateCall(TypedDict):
    """A JSON-RPC call that shows a fact. Anyone can repeat it on a node with the state of its block."""

    of: str
    """The fact: `sale`, or the name of a finding."""
    method: str
    """The method."""
    params: str
    """The parameters as JSON."""
    refused: bool | None
    """Whether the contract refused it; null where the answer has the results of several steps."""


class Gate(TypedDict):
    """Whether a bot may trade a token now."""

    decision: GateDecision | LaterWord
    """What the bot may do."""
    token: str
    """The token."""
    action: GateAction | LaterWord
    """What the bot wants to do."""
    amount_usd: float | None
    """The size of its order in USD; null: of any size."""
    policy: str
    """The name of the policy."""
    headline: str
    """The conclusion of the verdict in one sentence."""
    reasons: list[GateReason]
    """What speaks against it, the gravest first."""
    missing: list[str]
    """What would be needed to decide. Where anything is missing, the decision is not `allow`."""
    pull_chance_30d_pct: float | None
    """The model's estimate of the chance of a pull within 30 days, in percent: no count of tokens, which `alike` has. Null for a base asset."""
    alike: AlikeTokens | None
    """What became of labelled tokens of its level and age; null: there are none."""
    track_record: LevelRecord
    block_number: int
    """The block of the facts."""
    timestamp: str
    """The time of that block."""
    ages: list[GateAge]
    """How old each fact is."""
    calls: list[GateCall]
    """The calls that show what the contract check found. `assay replay` makes them again."""
    signed: str
    """All of this as a JWS (RFC 7515) by Ed25519; /.well-known/jwks.json has the public key."""


class GateCounts(TypedDict):
    """How many tokens a policy would have stopped."""

    tokens: int
    """How many tokens."""
    blocked: int
    """How many it would have blocked."""
    reviewed: int
    """How many it would have reviewed, those without a contract check by then included."""
    undecided: int
    """How many no kept fact speaks against. Others are not kept, so none of them counts as allowed."""


# What the gate would have said of the past month's new tokens, beside what became of them.
GateBacktest = TypedDict(
    "GateBacktest",
    {
        # The conclusion in one sentence.
        "summary": "str",
        # The beginning: tokens that were made from then on.
        "from": "str",
        # The end: tokens that were made up to then.
        "to": "str",
        # The age in hours at which each token is asked about.
        "age_hours": "int",
        # The time from which the facts of tokens are kept; null when there are none yet.
        "kept_since": "str | None",
        # The time from which the facts are kept at each block; null when never. Before it, a token is asked about at the end of a day.
        "exact_since": "str | None",
        # pulled
        "pulled": "GateCounts",
        # others
        "others": "GateCounts",
        # How many were pulled before they were asked about. They are in no count.
        "pulled_before_count": "int",
        # How many have not reached the age. They are in no count.
        "too_young_count": "int",
        # What cannot be tested in the past: it may have stopped more tokens.
        "untested": "list[str]",
    },
)


class ListedWallet(TypedDict):
    """An indexed wallet: an address that was the wallet or the counterparty of an event, has ever held an indexed token, or is a relayer."""

    address: str
    """The address."""
    classification: Classification | LaterWord
    """The behaviour of the wallet; for another address, its kind."""
    reputation_score: float
    """The composite reputation, 0-100; higher is better."""
    reputation_confidence: Confidence | LaterWord
    """How much evidence the reputation is based on."""
    trade_count: int
    """How many swaps it made."""
    closed_position_count: int
    """How many positions it closed: bought, then sold or sent away except for 5 % at most."""
    won_position_count: int
    """How many of its closed positions made a profit."""
    realised_usd: float
    """The realised profit in USD: the proceeds of sales with a known cost, minus that cost."""
    realised_this_week_usd: float
    """The part of it since Thursday 00:00 UTC, in USD."""
    realised_last_week_usd: float
    """The part of it in the week before, in USD."""
    first_seen: str
    """The time of the first block with a decoded log or a plain payment that names it."""
    last_trade_at: str | None
    """The time of its newest swap; null when it made none."""


class Position(TypedDict):
    """A token that a wallet holds or held."""

    token_address: str
    """The address of the token."""
    token_symbol: str
    """The symbol of the token from its contract: anyone can choose it."""
    quantity: float
    """The amount held, in whole tokens; 0 for unknown decimals."""
    value_usd: float
    """The value of the holding in USD; 0 when the token is not priced."""


class WalletResult(TypedDict):
    """What a wallet earned in a number of days."""

    realised_usd: float
    """The realised profit of the days in USD: the proceeds of sales with a known cost, minus that cost."""
    closed_position_count: int
    """How many positions it closed in the days."""
    won_position_count: int
    """How many of these made a profit."""
    win_rate: float | None
    """The share of the closed positions that made a profit, 0-1; 0 without closed positions."""


class WalletResults(TypedDict):
    """What a wallet earned in the newest days."""

    d7: WalletResult | None
    """The 7 days of UTC up to the block. Null where the index has not all of them."""
    d30: WalletResult | None
    """The 30 days of UTC up to the block. Null where the index has not all of them."""


class Wallet(TypedDict):
    """An indexed wallet: an address that was the wallet or the counterparty of an event, has ever held an indexed token, or is a relayer."""

    address: str
    """The address."""
    classification: Classification | LaterWord
    """The behaviour of the wallet; for another address, its kind."""
    reputation_score: float
    """The composite reputation, 0-100; higher is better."""
    reputation_confidence: Confidence | LaterWord
    """How much evidence the reputation is based on."""
    portfolio: list[Position]
    """The holdings of the wallet, the most valuable first. Only the wrapped native coin is included, because payments by contracts write no log. Beyond 200, `positions` has pages. Refused if the wallets of a query have more than 200000 positions together."""
    pnl_estimate_usd: float
    """The estimated profit and loss in USD, realised and open, at average cost. It excludes gas, because no log has its price."""
    pnl_confidence: Confidence | LaterWord
    """How reliable the estimate is: how many sales have a known cost, and how many holdings a price."""
    sector_preference: str
    """The sector that the wallet trades most, or "unknown". Text, because the set is open, like that of launchpads."""
    trade_count: int
    """How many swaps it made."""
    first_seen: str
    """The time of the first block with a decoded log or a plain payment that names it."""
    results: WalletResults | None
    """Its realised profit and win rate of 7 and 30 days."""


class WalletEvent(TypedDict):
    """Something that happened to an indexed token on the chain."""

    id: str
    """The identifier: block number, index of the log in the block, and part of that log, such as 5661-12-0."""
    type: EventType | LaterWord
    """What happened."""
    token_address: str
    """The address of the token."""
    token_symbol: str
    """The symbol of the token from its contract: anyone can choose it."""
    amount_usd: float
    """The value in USD at that time."""
    direction: Direction | LaterWord | None
    """The side of a swap; null for every other type."""
    timestamp: str
    """The time of the block."""
    tx_hash: str
    """The hash of the transaction: 0x and 64 hex digits."""
    quantity: float | None
    """The amount of the token, in whole tokens; null when the decimals are not known."""
    price_usd: float | None
    """The price of a whole token in this swap in USD: its value over its amount. Null for every other type, for a value under a cent, and for unknown decimals."""
    pool: str | None
    """The address of the pool contract; for a pool known by 32 bytes, that of its manager."""
    counterparty: str | None
    """The address of the other side of a transfer; null for every other type."""
    transfer_direction: Literal["in", "out"] | LaterWord | None
    """Whether a transfer went out of the wallet or came in; null for every other type."""


class WalletPosition(TypedDict):
    """A token that a wallet holds or held."""

    token_address: str
    """The address of the token."""
    token_symbol: str
    """The symbol of the token from its contract: anyone can choose it."""
    quantity: float | None
    """The amount held, in whole tokens; null when the decimals are not known."""
    value_usd: float | None
    """The value of the holding in USD, at most the sum that the pools of the token could pay. Null when the token is not priced."""
    sellable_usd: float | None
    """The estimated proceeds of selling the whole holding at once, in USD and without fees. All pricing pools count as one constant-product pool of their depth, so a tenth of the pool brings less than its value. 0 while the newest contract check says that nobody can sell. Null when the token is not priced, or only by a launch curve."""
    rebasing: bool | None
    """Whether the token changes balances without Transfers. Then quantity and values are sums of Transfers, and the contract has others. Null when no contract check sampled balances."""
    cost_usd: float
    """The cost of the part with a known cost, in USD."""
    realised_usd: float
    """The realised profit of its sales, in USD."""
    open_usd: float | None
    """The unrealised profit in USD: the value minus the cost, of the part with a known cost. Null when the token is not priced."""
    bought_usd: float
    """The money spent on it in total, in USD."""
    sold_usd: float
    """The proceeds of its sales in total, in USD."""
    trade_count: int
    """How many swaps of the token the wallet made."""
    net_activity: NetActivity | LaterWord
    """How the holding changed since the start of the day (UTC) 7 days ago."""
    first_at: str
    """The time of the wallet's first event with the token."""
    last_at: str
    """The time at which the holding last changed."""


class LiquidityPosition(TypedDict):
    """The shares of a pool that a wallet holds or held."""

    pool_address: str | None
    """The address of the pool contract; for a pool known by 32 bytes, that of its manager."""
    base_symbol: str | None
    """The symbol from the contract. The deployer wrote it: never trust it."""
    quote_symbol: str | None
    """The symbol from the contract. The deployer wrote it: never trust it."""
    share_pct: float
    """The share of the pool in percent, including shares that a locker or gauge keeps for the wallet."""
    value_usd: float
    """The value of the shares with a known cost, in USD."""
    cost_usd: float
    """The cost of these shares, in USD."""
    open_usd: float
    """The unrealised profit in USD: the value, less its part without a cost, less the cost."""
    realised_usd: float
    """The profit in USD that removals of liquidity realised."""
    is_locked: bool
    """Whether a locker or gauge keeps shares for the wallet."""


class WalletLiquidity(TypedDict):
    """An indexed wallet: an address that was the wallet or the counterparty of an event, has ever held an indexed token, or is a relayer."""

    data: list[LiquidityPosition]
    """The wallet's shares of pools, the most valuable first. With `positions` they add up to the open and realised profit of `pnl`. Refused if the wallets of a query have more than 200000 positions together."""


class Event(TypedDict):
    """Something that happened to an indexed token on the chain."""

    id: str
    """The identifier: block number, index of the log in the block, and part of that log, such as 5661-12-0."""
    type: EventType | LaterWord
    """What happened."""
    wallet_address: str
    """The address of the wallet whose event it is (see `attribution`); of a transfer the sender."""
    token_address: str
    """The address of the token."""
    token_symbol: str
    """The symbol of the token from its contract: anyone can choose it."""
    amount_usd: float
    """The value in USD at that time."""
    direction: Direction | LaterWord | None
    """The side of a swap; null for every other type."""
    timestamp: str
    """The time of the block."""
    tx_hash: str
    """The hash of the transaction: 0x and 64 hex digits."""
    quantity: float | None
    """The amount of the token, in whole tokens; null when the decimals are not known."""
    price_usd: float | None
    """The price of a whole token in this swap in USD: its value over its amount. Null for every other type, for a value under a cent, and for unknown decimals."""
    pool: str | None
    """The address of the pool contract; for a pool known by 32 bytes, that of its manager."""
    counterparty: str | None
    """The address."""


class WalletScoreDimensions(TypedDict):
    """The dimensions of a reputation."""

    win_rate: float
    """The share of the closed positions that made a profit, 0-1; 0 without closed positions."""
    entry_timing_score: float
    """How often prices were above those of its buys during the following three days, 0-100; 50 before one of them is that old."""
    consistency_score: float
    """The share of its weeks that ended with a profit, 0-100; 100 is all of them, 50 before the first with a result."""
    risk_drawdown_score: float
    """How small its deepest loss was compared with its positions, 0-100; 100 is no loss, 50 before its first sale."""


class ScoreContribution(TypedDict):
    """One summand of the composite."""

    name: str
    """The dimension that is added, by its `name`, which is text for the same reason."""
    value: float | None
    """The value of the dimension in points, 0-100; null if unknown."""
    weight: float
    """The weight of the dimension."""
    contribution: float
    """The points that the dimension adds to the composite."""


class WalletScore(TypedDict):
    """The reputation of a wallet: a weighted composite of its dimensions, not an average."""

    address: str
    """The address of the wallet."""
    reputation_score: float
    """The reputation, 0-100; higher is better."""
    confidence: Confidence | LaterWord
    """How much evidence the reputation is based on."""
    classification: Classification | LaterWord
    """The behaviour of the wallet; for another address, its kind."""
    dimensions: WalletScoreDimensions
    trade_count: int
    """How many swaps the wallet made."""
    updated_at: str
    """The time of the block of its computation."""
    contributions: list[ScoreContribution] | None
    """The summands of the composite, in the order in which they are added."""
    unknown: list[str]
    """The names of the fields whose value is not known and stands for nothing; often empty."""


class TokenScoreDimensions(TypedDict):
    """The dimensions of a risk score."""

    holder_concentration_score: float
    """How concentrated the ownership is, 0-100; 100 is one holder, 60 for unknown balances."""
    liquidity_stability_score: float
    """How firmly the liquidity stays, 0-100; 100 cannot leave within 30 days, 40 if unknown."""
    wash_trade_score: float
    """The share of wash trading in the volume, 0-100; 0 means that none was found, 60 without trades in the week or with unknown traders."""
    smart_money_flow_score: float
    """The flow of wallets of high reputation, 0-100; 100 is a strong inflow, 50 is neutral or unknown."""


class TopHolderSummary(TypedDict):
    """A summary of the largest holders of a token."""

    early_mover_count: int
    """How many of the hundred largest holders are early buyers; 0 before the first score."""
    early_mover_net_activity: NetActivity | LaterWord
    """How the holdings of these early buyers changed over the past 7 days; inactive without any."""
    avg_reputation_top10: float
    """The mean reputation of the ten largest holders that are accounts or contracts, 0-100. Pools, lockers, exchanges and burn addresses do not count. 50 before the first score."""


class TokenScore(TypedDict):
    """The risk of a token: a published function of its dimensions, which `explanation` lists. The chain's stablecoins and its wrapped coin are not scored as launches: their risk is 10, and more if a flag applies."""

    address: str
    """The address of the token contract."""
    risk_score: float
    """The risk, 0-100; higher is riskier."""
    risk_level: RiskLevel | LaterWord
    """The band of the risk score."""
    flags: list[RiskFlag | LaterWord]
    """The risk flags that apply; often empty."""
    dimensions: TokenScoreDimensions
    top_holder_summary: TopHolderSummary
    updated_at: str
    """The time of the block of its computation."""
    confidence: Confidence | LaterWord
    """How much evidence the score is based on; `explanation` has its gaps."""
    base: float | None
    """The score of a token without any known fact. With the points of all reasons it makes the score exactly. Null for a wallet."""
    reasons: list[RiskReason] | None
    """The reasons why the score differs from `base`, one fact each, dangers first. The last line sums the small ones. Empty for a wallet."""
    contributions: list[ScoreContribution] | None
    """The summands of the composite, in the order in which they are added."""
    unknown: list[str]
    """The names of the fields whose value is not known and stands for nothing; often empty."""


class Limits(TypedDict):
    """The limits of an account."""

    requests_per_minute: int | None
    """Requests per minute; null when they are not limited."""
    requests_per_day: int | None
    """Requests per UTC day; null when they are not limited."""
    active_alerts: int | None
    """Active alerts of all keys together; null when they are not limited."""
    webhooks: bool
    """Whether alerts may go to a webhook or a chat."""
    streams: int
    """How many streams may be open at the same time, over all keys."""
    gate_policies: int
    """The number of saved policies of the gate that it may have."""


class RouteUsage(TypedDict):
    """The usage of a route on one day."""

    route: str
    """Its method and path, such as GET /v1/tokens/{address}; other for paths that do not exist."""
    requests: int
    """How many requests were counted for it on that day."""


class UsageDay(TypedDict):
    """The usage of an account on one day."""

    date: str
    """The UTC day."""
    requests: int
    """How many requests were counted on that day."""
    routes: list[RouteUsage]
    """The requests of each route on that day, the most first."""


class OpenStream(TypedDict):
    """A stream that is open."""

    opened_at: str
    """When it was opened."""
    key_id: str
    """The identifier of the API key that opened it."""
    key_name: str
    """The name of that key."""


class Me(TypedDict):
    """The account behind your API key."""

    email: str
    """The address of the alerts' mails."""
    plan: Plan | LaterWord
    """The plan of the account."""
    active_alert_count: int
    """How many active alerts the account has, over all its keys."""
    limits: Limits
    usage: list[UsageDay]
    """The requests of the newest UTC days, newest first; days without any are left out."""
    open_streams: list[OpenStream]
    """The streams that are open, newest first; 20 at most."""


class ApiKey(TypedDict):
    """An API key of your account that works. Its secret cannot be read again."""

    id: str
    """The identifier, which a rotation keeps."""
    name: str
    """The label that the owner chose."""
    prefix: str
    """The first characters of its newest secret."""
    last_four: str
    """The last four characters of its newest secret."""
    created_at: str
    """When it was made."""
    last_used_at: str | None
    """When it was last used, exact to a minute; null if it never was."""
    expires_at: str | None
    """When it ends by itself, as the key of a sign-in does; null if it does not."""
    is_current: bool
    """Whether it is the key of this request."""


class CreateApiKeyInput(TypedDict):
    """A new API key."""

    name: str
    """A label of 1 to 100 characters without control characters."""


class NewApiKey(TypedDict):
    """An API key of your account that works. Its secret cannot be read again."""

    id: str
    """The identifier, which a rotation keeps."""
    name: str
    """The label that the owner chose."""
    prefix: str
    """The first characters of its newest secret."""
    last_four: str
    """The last four characters of its newest secret."""
    created_at: str
    """When it was made."""
    last_used_at: str | None
    """When it was last used, exact to a minute; null if it never was."""
    expires_at: str | None
    """When it ends by itself, as the key of a sign-in does; null if it does not."""
    is_current: bool
    """Whether it is the key of this request."""
    key: str
    """The secret to send as API key. Only this answer shows it."""


class UpdateApiKeyInput(TypedDict):
    """A change of an API key."""

    name: str
    """A label of 1 to 100 characters without control characters."""


class RotateApiKeyInput(TypedDict):
    """A rotation of an API key."""

    overlap_hours: NotRequired[int]
    """How many hours the old secret keeps working, from 0 to 168. With 0 it stops at once."""


class AlertConditions(TypedDict):
    """The conditions under which the alert fires for a token. A field that is null sets no condition."""

    min_liquidity_usd: NotRequired[float]
    """The least liquidity in USD, 0 or more."""
    max_market_cap_usd: NotRequired[float]
    """The largest market cap in USD, 0 or more. A token with an unknown cap counts as 0 here; a least cap excludes it."""
    min_market_cap_usd: NotRequired[float]
    """The smallest market cap in USD, 0 or more."""
    max_risk_score: NotRequired[float]
    """The highest risk score, 0-100."""
    min_risk_score: NotRequired[float]
    """The lowest risk score, 0-100. A token has a danger from 50 on, where the level high begins."""
    exclude_flags: NotRequired[list[RiskFlag | LaterWord]]
    """Excludes tokens with any of these flags."""
    include_flags: NotRequired[list[RiskFlag | LaterWord]]
    """Only tokens with at least one of these flags."""
    min_holder_growth_1h_pct: NotRequired[float]
    """The least growth of the number of holders over the past hour in percent; may be negative."""
    max_age_hours: NotRequired[float]
    """The greatest age in hours, 0 or more."""
    min_sniper_held_pct: NotRequired[float]
    """The least share of snipers in the supply, in percent, 0-100. A token whose share is unknown is left out."""
    max_sniper_held_pct: NotRequired[float]
    """The largest share of snipers in the supply, in percent, 0-100. A token whose share is unknown is left out."""
    min_bundler_held_pct: NotRequired[float]
    """The least share of bundled wallets in the supply, in percent, 0-100. A token whose share is unknown is left out."""
    max_bundler_held_pct: NotRequired[float]
    """The largest share of bundled wallets in the supply, in percent, 0-100. A token whose share is unknown is left out."""
    min_insider_held_pct: NotRequired[float]
    """The least share of insiders in the supply, in percent, 0-100. A token whose share is unknown is left out."""
    max_insider_held_pct: NotRequired[float]
    """The largest share of insiders in the supply, in percent, 0-100. A token whose share is unknown is left out."""
    min_developer_held_pct: NotRequired[float]
    """The least share of the developer in the supply, in percent, 0-100. A token whose share is unknown is left out."""
    max_developer_held_pct: NotRequired[float]
    """The largest share of the developer in the supply, in percent, 0-100. A token whose share is unknown is left out."""
    min_fresh_held_pct: NotRequired[float]
    """The least share of fresh wallets in the supply, in percent, 0-100. A token whose share is unknown is left out."""
    max_fresh_held_pct: NotRequired[float]
    """The largest share of fresh wallets in the supply, in percent, 0-100. A token whose share is unknown is left out."""
    contract_checked: NotRequired[bool]
    """Whether a sale of it was tried."""
    sellable: NotRequired[bool]
    """Whether it could be sold when it was last tried. A token that was not tried passes neither."""
    min_sell_tax_pct: NotRequired[float]
    """The least tax of a sale in percent, 0-100, by trial or by real sales, whichever is more."""
    max_sell_tax_pct: NotRequired[float]
    """The largest tax of a sale in percent, 0-100. A token whose tax is not known is left out."""
    exclude_powers: NotRequired[list[PowerKind | LaterWord]]
    """Excludes tokens with one of these powers over their holders, and tokens whose code was not analysed."""
    include_powers: NotRequired[list[PowerKind | LaterWord]]
    """Only tokens with at least one of these powers over their holders."""
    owner_changed: NotRequired[bool]
    """Whether its owner changed in the day before the newest check. A token whose code was not looked into passes neither."""
    tokens: NotRequired[list[str]]
    """Only these tokens, by their addresses, 20 at most."""
    bought_by: NotRequired[list[str]]
    """Only a token that one of these wallets just bought, 20 at most. Alerts alone take it."""
    sold_by: NotRequired[list[str]]
    """Only a token that one of these wallets just sold, 20 at most. Alerts alone take it."""
    traded_by: NotRequired[list[str]]
    """Only a token that one of these wallets just bought or sold, 20 at most. Alerts alone take it."""
    min_amount_usd: NotRequired[float]
    """Only what a named wallet trades for at least this, in USD. It needs a condition that names wallets."""
    max_amount_usd: NotRequired[float]
    """Only what a named wallet trades for at most this, in USD. It needs a condition that names wallets."""
    mirror_sales: NotRequired[bool]
    """Also tells which share of its position a wallet that bought sells or moves away, of tokens that this alert reported. It needs wallets that buy."""
    mirror_unreported: NotRequired[bool]
    """Mirrors also sales of tokens that this alert did not report. It needs mirrored sales."""


class Alert(TypedDict):
    """A saved token filter that sends a message when a token begins to match."""

    id: str
    """The identifier that the service assigned."""
    name: str
    """The label that the owner of the alert chose."""
    status: AlertStatus | LaterWord
    """Whether the alert is active or paused."""
    conditions: AlertConditions
    notification_channel: NotificationChannel | LaterWord
    """How messages reach the owner of the alert."""
    url: NotRequired[str]
    """The URL of the webhook. The URL of a chat is a secret, of which this is the host and the last four characters. Null for the channel email."""
    created_at: str
    """When the alert was created."""
    last_triggered_at: str | None
    """When the alert last fired; null if it never did."""


class TokenFilter(TypedDict):
    """The conditions for tokens. A field that is left out or null sets no condition. All bounds are inclusive. An alert takes only the fields of GET /tokens, flags that a token must have, and the conditions on contract checks."""

    min_liquidity_usd: NotRequired[float]
    """The least liquidity in USD, 0 or more."""
    max_market_cap_usd: NotRequired[float]
    """The largest market cap in USD, 0 or more. A token with an unknown cap counts as 0 here; a least cap excludes it."""
    min_market_cap_usd: NotRequired[float]
    """The smallest market cap in USD, 0 or more."""
    max_risk_score: NotRequired[float]
    """The highest risk score, 0-100."""
    min_risk_score: NotRequired[float]
    """The lowest risk score, 0-100. A token has a danger from 50 on, where the level high begins."""
    exclude_flags: NotRequired[list[RiskFlag]]
    """Excludes tokens with any of these flags."""
    include_flags: NotRequired[list[RiskFlag]]
    """Only tokens with at least one of these flags."""
    min_holder_growth_1h_pct: NotRequired[float]
    """The least growth of the number of holders over the past hour in percent; may be negative."""
    max_age_hours: NotRequired[float]
    """The greatest age in hours, 0 or more."""
    min_sniper_held_pct: NotRequired[float]
    """The least share of snipers in the supply, in percent, 0-100. A token whose share is unknown is left out."""
    max_sniper_held_pct: NotRequired[float]
    """The largest share of snipers in the supply, in percent, 0-100. A token whose share is unknown is left out."""
    min_bundler_held_pct: NotRequired[float]
    """The least share of bundled wallets in the supply, in percent, 0-100. A token whose share is unknown is left out."""
    max_bundler_held_pct: NotRequired[float]
    """The largest share of bundled wallets in the supply, in percent, 0-100. A token whose share is unknown is left out."""
    min_insider_held_pct: NotRequired[float]
    """The least share of insiders in the supply, in percent, 0-100. A token whose share is unknown is left out."""
    max_insider_held_pct: NotRequired[float]
    """The largest share of insiders in the supply, in percent, 0-100. A token whose share is unknown is left out."""
    min_developer_held_pct: NotRequired[float]
    """The least share of the developer in the supply, in percent, 0-100. A token whose share is unknown is left out."""
    max_developer_held_pct: NotRequired[float]
    """The largest share of the developer in the supply, in percent, 0-100. A token whose share is unknown is left out."""
    min_fresh_held_pct: NotRequired[float]
    """The least share of fresh wallets in the supply, in percent, 0-100. A token whose share is unknown is left out."""
    max_fresh_held_pct: NotRequired[float]
    """The largest share of fresh wallets in the supply, in percent, 0-100. A token whose share is unknown is left out."""
    contract_checked: NotRequired[bool]
    """Whether a sale of it was tried."""
    sellable: NotRequired[bool]
    """Whether it could be sold when it was last tried. A token that was not tried passes neither."""
    min_sell_tax_pct: NotRequired[float]
    """The least tax of a sale in percent, 0-100, by trial or by real sales, whichever is more."""
    max_sell_tax_pct: NotRequired[float]
    """The largest tax of a sale in percent, 0-100. A token whose tax is not known is left out."""
    exclude_powers: NotRequired[list[PowerKind]]
    """Excludes tokens with one of these powers over their holders, and tokens whose code was not analysed."""
    include_powers: NotRequired[list[PowerKind]]
    """Only tokens with at least one of these powers over their holders."""
    owner_changed: NotRequired[bool]
    """Whether its owner changed in the day before the newest check. A token whose code was not looked into passes neither."""
    tokens: NotRequired[list[str]]
    """Only these tokens, by their addresses, 20 at most."""
    bought_by: NotRequired[list[str]]
    """Only a token that one of these wallets just bought, 20 at most. Alerts alone take it."""
    sold_by: NotRequired[list[str]]
    """Only a token that one of these wallets just sold, 20 at most. Alerts alone take it."""
    traded_by: NotRequired[list[str]]
    """Only a token that one of these wallets just bought or sold, 20 at most. Alerts alone take it."""
    min_amount_usd: NotRequired[float]
    """Only what a named wallet trades for at least this, in USD. It needs a condition that names wallets."""
    max_amount_usd: NotRequired[float]
    """Only what a named wallet trades for at most this, in USD. It needs a condition that names wallets."""
    mirror_sales: NotRequired[bool]
    """Also tells which share of its position a wallet that bought sells or moves away, of tokens that this alert reported. It needs wallets that buy."""
    mirror_unreported: NotRequired[bool]
    """Mirrors also sales of tokens that this alert did not report. It needs mirrored sales."""


class CreateAlertInput(TypedDict):
    """A new alert."""

    name: str
    """A label of 1 to 100 characters without control characters."""
    conditions: TokenFilter
    notification_channel: NotRequired[NotificationChannel]
    """How messages reach the owner of the alert."""
    url: NotRequired[str]
    """The receiver. Of a webhook: https on the public internet. Of a chat: the URL that its service gives for messages. Left out for email."""


class NewAlert(TypedDict):
    """A saved token filter that sends a message when a token begins to match."""

    id: str
    """The identifier that the service assigned."""
    name: str
    """The label that the owner of the alert chose."""
    status: AlertStatus | LaterWord
    """Whether the alert is active or paused."""
    conditions: AlertConditions
    notification_channel: NotificationChannel | LaterWord
    """How messages reach the owner of the alert."""
    url: NotRequired[str]
    """The URL of the webhook. The URL of a chat is a secret, of which this is the host and the last four characters. Null for the channel email."""
    created_at: str
    """When the alert was created."""
    secret: NotRequired[str]
    """The secret that signs the messages of its webhook, shown only in this answer; left out without a webhook."""


# What to look for in the past month.
BacktestInput = TypedDict(
    "BacktestInput",
    {
        # conditions
        "conditions": "TokenFilter",
        # The beginning; 30 days before the newest block if left out, which is also the earliest.
        "from": "NotRequired[str]",
        # The end; the time of the newest block if left out.
        "to": "NotRequired[str]",
    },
)


class BacktestMatch(TypedDict):
    """A token that would have begun to match, and its outcome."""

    token_address: str
    """The address of the token contract."""
    token_symbol: str
    """The symbol from the contract: anyone can choose it."""
    token_name: str
    """The name from the contract: anyone can choose it."""
    block_number: int
    """The block in which it began to match."""
    matched_at: str
    """The time of that block."""
    exact: bool
    """Whether an alert would have fired at this block. Otherwise the block ends a day of the first indexing, in which the token began to match."""
    price_usd: float | None
    """The price in USD at that block; null when it was not priced."""
    price_after_1h_usd: float | None
    """The price in USD an hour later; null if that time has not come, or if it had no price then."""
    price_after_24h_usd: float | None
    """The price in USD a day later; null if that time has not come, or if it had no price then."""
    price_after_7d_usd: float | None
    """The price in USD seven days later; null if that time has not come, or if it had no price then."""
    change_after_24h_pct: float | None
    """The change of the price in the day after, in percent; null if one of the prices is unknown."""
    worst_fall_pct: float | None
    """The deepest fall of the price in the seven days after, in percent: 0 or less. It covers the days that are over; null if unknown."""
    pulled: bool
    """Whether its liquidity is pulled by now."""
    sellable: bool | None
    """Whether holders can sell it, by the newest check of its contract; null if unknown."""


# The matches that an alert would have had in a past period.
Backtest = TypedDict(
    "Backtest",
    {
        # The beginning of the period.
        "from": "str",
        # The end of the period.
        "to": "str",
        # The time from which the values of tokens are kept; null when there are none yet. No earlier match is found.
        "kept_since": "str | None",
        # The time from which alerts were matched at each block; null when never in this period. Before it, only the end of each day is known.
        "exact_since": "str | None",
        # The conclusion in one sentence.
        "summary": "str",
        # How many times a token would have begun to match.
        "match_count": "int",
        # How many of them were followed, the newest ones, 2000 at most: all other numbers are of these.
        "followed_count": "int",
        # How many of these tokens were pulled by now.
        "pulled_count": "int",
        # How many of these tokens cannot be sold, by the newest checks.
        "unsellable_count": "int",
        # How many had a price at first and a day later.
        "priced_after_24h_count": "int",
        # How many had a price at first and none a day later.
        "unpriced_after_24h_count": "int",
        # The median change of the price in the day after, in percent, of the known ones; null if none is known.
        "median_change_after_24h_pct": "float | None",
        # The median of the deepest falls in percent, of the known ones; null if none is known.
        "median_worst_fall_pct": "float | None",
        # The matches, the newest first.
        "matches": "list[BacktestMatch]",
    },
)


class UpdateAlertInput(TypedDict):
    """Changes of an alert. A field that is left out or null stays as it is."""

    name: NotRequired[str]
    """A label of 1 to 100 characters without control characters."""
    conditions: NotRequired[TokenFilter]
    status: NotRequired[AlertStatus]
    """Whether the alert is active or paused. The plan limits how many alerts are active."""
    url: NotRequired[str]
    """The receiver. Of a webhook: https on the public internet. Of a chat: the URL that its service gives for messages. Left out for email."""


class AlertWithSecret(TypedDict):
    """A saved token filter that sends a message when a token begins to match."""

    id: str
    """The identifier that the service assigned."""
    name: str
    """The label that the owner of the alert chose."""
    status: AlertStatus | LaterWord
    """Whether the alert is active or paused."""
    conditions: AlertConditions
    notification_channel: NotificationChannel | LaterWord
    """How messages reach the owner of the alert."""
    url: NotRequired[str]
    """The URL of the webhook. The URL of a chat is a secret, of which this is the host and the last four characters. Null for the channel email."""
    created_at: str
    """When the alert was created."""
    last_triggered_at: str | None
    """When the alert last fired; null if it never did."""
    secret: NotRequired[str]
    """The secret that signs the messages of its webhook, shown only in this answer; left out without a webhook."""


class AlertTestPayload(TypedDict):
    """What became of the test message of an alert."""

    delivered: bool
    """Whether the receiver took the message."""
    response: str
    """What the receiver answered, in a sentence."""


class GatePolicy(TypedDict):
    """A saved policy of the gate. The keys of an account share it."""

    name: str
    """Its name, which `gate` takes."""
    bounds: GateBounds | LaterWord
    """Its bounds."""
    rules: str
    """What findings lead to, in the form of the argument `rules` of `gate`."""
    conditions: AlertConditions
    created_at: str
    """When it was made."""
    updated_at: str
    """When it was last changed."""


class CreateGatePolicyInput(TypedDict):
    """A new policy of the gate."""

    name: str
    """Its name: 1 to 40 characters of a-z, 0-9, _ and -."""
    bounds: NotRequired[GateBounds]
    """Its bounds; standard if a new one has none."""
    rules: NotRequired[str]
    """What findings lead to, in the form of the argument `rules` of `gate`. An empty text has none."""
    conditions: NotRequired[TokenFilter]


class UpdateGatePolicyInput(TypedDict):
    """Changes of a policy of the gate. A field that is left out or null stays as it is."""

    bounds: NotRequired[GateBounds]
    """Its bounds; standard if a new one has none."""
    rules: NotRequired[str]
    """What findings lead to, in the form of the argument `rules` of `gate`. An empty text has none."""
    conditions: NotRequired[TokenFilter]


class SqlInput(TypedDict):
    """A question about the views."""

    query: str
    """The SELECT, of 10000 characters at most."""


class SqlBlock(TypedDict):
    """The block that an answer to SQL reflects."""

    block_number: int
    """The number of the block."""
    timestamp: str
    """The time of the block."""


class SqlColumn(TypedDict):
    """A column of an answer to SQL."""

    name: str
    """Its name, as the fields of the rows have it."""
    type: str
    """Its type in DuckDB."""


class PartialView(TypedDict):
    """A view that lacks older rows."""

    view: str
    """The name of the view."""
    since: str
    """The time of its first row."""


class SqlAnswer(TypedDict):
    """The answer to SQL."""

    as_of: SqlBlock
    columns: list[SqlColumn]
    """The columns, in their order."""
    row_count: int
    """How many rows the answer has."""
    truncated: bool
    """Whether further rows were left out."""
    partial: list[PartialView]
    """The views that lack older rows; mostly empty."""
    data: list[object]
    """The rows, with a field for each column."""


class StreamedEvent(TypedDict):
    """A message of the stream: an event, or the retraction of one whose block was rolled back."""

    id: str
    """The identifier: block number, index of the log in the block, and part of that log, such as 5661-12-0."""
    type: EventType | LaterWord
    """What happened."""
    wallet_address: str
    """The address of the wallet whose event it is (see `attribution`); of a transfer the sender."""
    token_address: str
    """The address of the token."""
    token_symbol: str
    """The symbol of the token from its contract: anyone can choose it."""
    amount_usd: float
    """The value in USD at that time."""
    direction: Direction | LaterWord | None
    """The side of a swap; null for every other type."""
    timestamp: str
    """The time of the block."""
    tx_hash: str
    """The hash of the transaction: 0x and 64 hex digits."""
    quantity: float | None
    """The amount of the token, in whole tokens; null when the decimals are not known."""
    price_usd: float | None
    """The price of a whole token in this swap in USD: its value over its amount. Null for every other type, for a value under a cent, and for unknown decimals."""
    pool: str | None
    """The address of the pool contract; for a pool known by 32 bytes, that of its manager."""
    counterparty: str | None
    """The address."""
    retracted: bool
    """Whether the event is retracted: its block is no longer part of the chain."""


class StreamTicket(TypedDict):
    """A ticket that opens one stream."""

    ticket: str
    """The ticket. It is shown only here."""
    expires_at: str
    """The time until which it opens a stream, a minute from now."""


class StreamEnd(TypedDict):
    """The last message of a stream, of the type `end`."""

    reason: Literal["done", "leaving", "slow", "replaced", "unauthorized", "rate_limited", "reset", "failed"] | LaterWord
    """The reason of the end; treat an unknown word as `failed`."""
    message: str
    """A sentence for people."""
    resume: str | None
    """The place to continue from in a later stream; null when there is none."""


class MatchedToken(TypedDict):
    """A token that began to match, with its values at that block."""

    address: str
    """The address of the token contract."""
    name: str
    """The name from the contract. The deployer wrote it: never trust it."""
    symbol: str
    """The symbol from the contract. The deployer wrote it: never trust it."""
    matched_at: str
    """The time of the block in which it began to match."""
    initial: bool
    """Whether it matched already when the alert was created or changed."""
    began: list[Literal["min_liquidity_usd", "max_market_cap_usd", "min_market_cap_usd", "max_risk_score", "min_risk_score", "exclude_flags", "include_flags", "min_holder_growth_1h_pct", "max_age_hours", "min_sniper_held_pct", "max_sniper_held_pct", "min_bundler_held_pct", "max_bundler_held_pct", "min_insider_held_pct", "max_insider_held_pct", "min_developer_held_pct", "max_developer_held_pct", "min_fresh_held_pct", "max_fresh_held_pct", "contract_checked", "sellable", "min_sell_tax_pct", "max_sell_tax_pct", "exclude_powers", "include_powers", "owner_changed", "tokens", "bought_by", "sold_by", "traded_by", "min_amount_usd", "max_amount_usd", "mirror_sales", "mirror_unreported"] | LaterWord]
    """The conditions that it began to meet; none for a new token."""
    risk_score: float
    """The risk, 0-100; higher is riskier."""
    risk_flags: list[RiskFlag | LaterWord]
    """The risk flags that apply; often none."""
    liquidity_usd: float
    """The value of both sides of its pools in USD. Of a quote token: of all its pools."""
    market_cap_usd: float
    """The market cap in USD: the price times the supply in circulation (without burned tokens and those of known lockers). The price is at the block of the answer. 0 when it is not priced."""
    holder_growth_1h_pct: float
    """The change of its number of holders over the past hour, in percent."""
    sniper_held_pct: float | None
    """What snipers of its launch hold of the supply at its newest score, in percent; null where unknown."""
    bundler_held_pct: float | None
    """What bundled wallets of its launch hold of the supply at its newest score, in percent; null where unknown."""
    insider_held_pct: float | None
    """What wallets linked to its maker hold of the supply at its newest score, in percent; null where unknown."""
    developer_held_pct: float | None
    """What its developer holds of the supply at its newest score, in percent; null where unknown."""
    fresh_held_pct: float | None
    """What fresh wallets of its launch hold of the supply at its newest score, in percent; null where unknown."""
    age_hours: float
    """Hours from the first log of the token to the block. An old contract may get its first pool long after its first log."""
    sellable: bool | None
    """Whether it can be sold; null where no check has told."""
    sell_tax_pct: float | None
    """The tax of a sale; null where it is unknown."""
    powers: list[PowerKind | LaterWord] | None
    """The powers over its holders; null where its code was not analysed."""
    trades: list[object]
    """What the wallets that the alert names bought or sold of it; none if it names no wallets."""
    headline: str | None
    """The verdict in one sentence; null before its first score."""
    reasons: list[str] | None
    """The main reasons of its risk, dangers first; null before its first score."""


class WalletExit(TypedDict):
    """What a wallet sold or moved away of a token in one block, for whoever mirrors its sales."""

    token_address: str
    """The address of the token."""
    token_symbol: str
    """The symbol of the token from its contract: anyone can choose it."""
    wallet_address: str
    """The address of the wallet whose event it is (see `attribution`); of a transfer the sender."""
    kind: Literal["sale", "liquidity", "transfer"] | LaterWord
    """How the tokens left it. Only `sale` is a sale."""
    share_pct: float | None
    """The share of its position that left; 100: nothing was left. Null: not known."""
    quantity: float | None
    """How much left it, in whole tokens."""
    left_quantity: float | None
    """What it holds at the end of the block, in whole tokens; null: not known."""
    amount_usd: float | None
    """The value; null where it is unknown."""
    block_number: int
    """The number of the block."""
    timestamp: str
    """The time of the block."""
    tx_hash: str
    """The hash of the transaction: 0x and 64 hex digits."""
    sellable: bool | None
    """Whether it can be sold; null where no check has told."""
    headline: str | None
    """The verdict in one sentence; null before its first score."""


class MatchedData(TypedDict):
    """The tokens that began to match an alert, and the exits that it mirrors."""

    delivery_id: str
    """The identifier of the message, the same at every attempt. It equals the header `webhook-id`."""
    alert: object
    """The alert."""
    total: int
    """The number of tokens that began to match."""
    tokens: list[MatchedToken]
    """The first of them."""
    exits: list[WalletExit]
    """What wallets sold or moved away, oldest first; none without `mirror_sales`."""


class TestMessage(TypedDict):
    """A message that the owner of an alert asked for, without tokens."""

    type: Literal["alert.test"]
    """The kind of message."""
    timestamp: str
    """The time at which the message was written."""
    data: MatchedData


class MatchedMessage(TypedDict):
    """A message to the webhook of an alert."""

    type: Literal["alert.matched"]
    """The kind of message."""
    timestamp: str
    """The time at which the message was written."""
    data: MatchedData


class EventsData(TypedDict):
    """Events of a followed token or wallet, in the order of the chain."""

    delivery_id: str
    """The identifier of the message, the same at every attempt. It equals the header `webhook-id`."""
    webhook: object
    """The webhook of events."""
    dropped: int
    """The number of events before the first one that the receiver gets from no message."""
    events: list[StreamedEvent]
    """The events."""


class EventsMessage(TypedDict):
    """A message to a webhook of events."""

    type: Literal["events"]
    """The kind of message."""
    timestamp: str
    """The time at which the message was written."""
    data: EventsData


class PlacedToken(TypedDict):
    """A token in its place of a list."""

    place: int
    """The number of its place, from 1."""
    is_new: bool
    """Whether it was not in the list before."""
    token_address: str
    """The address of the token."""
    token: Token | None
    """The token as GET /tokens has it now; null if a reorganisation removed it."""


class ScreenUpdate(TypedDict):
    """What became of a list of tokens. Take away the tokens of `left` and `placed`, then put those of `placed` in their places, the lowest first."""

    block_number: int
    """The block whose list it now is."""
    block_hash: str
    """The hash of the block."""
    reset: bool
    """Whether to begin with an empty list: the first message, or one after a place that is not known."""
    retracted: bool
    """Whether a reorganisation rolled a block back since the message before, or this is not known."""
    left: list[str]
    """The tokens that left the list."""
    placed: list[PlacedToken]
    """The tokens that entered the list or changed their order in it, by place."""


class SignupInput(TypedDict):
    """The wish to get a link by mail."""

    email: str
    """Your mail address, in ASCII."""
    invite: NotRequired[str]
    """The code of an invite, for a new account."""


class SignupAnswer(TypedDict):
    """The same answer for every address."""

    message: str
    """A sentence for people."""


class SignupToken(TypedDict):
    """The token of a link."""

    token: str
    """The part of the link after #token=."""


class SignupKey(TypedDict):
    """The account of a link, with a key."""

    key: str
    """The key. It is shown only here."""
    key_id: str
    """The identifier of the key."""
    email: str
    """The address of the account."""
    plan: Plan | LaterWord
    """The plan of the account."""
    expires_at: str | None
    """When the key ends by itself, after a sign-in; null: it does not."""


class Error(TypedDict):
    """The body of every error."""

    error: ErrorDetail


class ErrorDetail(TypedDict):
    """What went wrong."""

    code: Literal["INVALID_PARAMS", "UNAUTHORIZED", "PAYMENT_REQUIRED", "FORBIDDEN", "NOT_FOUND", "METHOD_NOT_ALLOWED", "CONFLICT", "PAYLOAD_TOO_LARGE", "URI_TOO_LONG", "UNSUPPORTED_MEDIA_TYPE", "RATE_LIMITED", "SERVER_ERROR", "SERVICE_UNAVAILABLE"] | LaterWord
    """The code; treat an unknown one by its status."""
    message: str
    """A sentence for people."""
    details: NotRequired[list[Fault]]
    """Every fault of the request; only with INVALID_PARAMS and PAYMENT_REQUIRED."""
    request_id: str
    """The same as the header X-Request-Id."""


class Fault(TypedDict):
    """One fault of a request."""

    location: Literal["query", "path", "body", "header"] | LaterWord
    """Where it is."""
    field: str
    """The name of the field; empty for the whole body."""
    message: str
    """The fault and its fix."""
