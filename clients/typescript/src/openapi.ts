// Made by `npm run clients` from docs/openapi.json: not to be edited.

export interface paths {
    "/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Finds tokens by symbol, name or address, and wallets by address
         * @description Finds tokens by symbol, name or address, and wallets by address. The page docs/rest.md has more.
         */
        get: operations["search"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists tokens that pass every filter
         * @description Lists tokens that pass every filter. The page docs/rest.md has more.
         */
        get: operations["listTokens"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tokens/{address}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One token with its largest holders
         * @description One token with its largest holders. The page docs/rest.md has more.
         */
        get: operations["getToken"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tokens/{address}/holders": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The holders of a token, the largest first
         * @description The holders of a token, the largest first. The page docs/rest.md has more.
         */
        get: operations["listTokenHolders"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tokens/{address}/pools": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The pools of a token with their locks, the deepest first
         * @description The pools of a token with their locks, the deepest first. The page docs/rest.md has more.
         */
        get: operations["listTokenPools"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tokens/{address}/candles": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The prices and trades of a token by interval, oldest first
         * @description The prices and trades of a token by interval, oldest first. The page docs/rest.md has more.
         */
        get: operations["listTokenCandles"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tokens/{address}/traders": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The traders of a token with the most profit, loss or volume
         * @description The traders of a token with the most profit, loss or volume. The page docs/rest.md has more.
         */
        get: operations["listTokenTraders"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tokens/{address}/launch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Who was there when a token opened: what each group holds, sold and earned
         * @description Who was there when a token opened: what each group holds, sold and earned. The page docs/rest.md has more.
         */
        get: operations["getTokenLaunch"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tokens/{address}/safety": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The powers over holders in one token's contract, and whether it can be sold
         * @description The powers over holders in one token's contract, and whether it can be sold. The page docs/rest.md has more.
         */
        get: operations["getTokenSafety"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tokens/{address}/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Checks a token's contract now, and answers the verdict
         * @description Checks a token's contract now, and answers the verdict. The page docs/rest.md has more.
         */
        post: operations["checkToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/gate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Whether a bot may trade a token now: allow, review or block, signed
         * @description Whether a bot may trade a token now: allow, review or block, signed. The page docs/rest.md has more.
         */
        get: operations["askGate"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/gate/backtest": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What the gate would have said of the past month's new tokens
         * @description What the gate would have said of the past month's new tokens. The page docs/rest.md has more.
         */
        get: operations["backtestGate"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/wallets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists wallets that pass every filter, by reputation, profit or trades
         * @description Lists wallets that pass every filter, by reputation, profit or trades. The page docs/rest.md has more.
         */
        get: operations["listWallets"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/wallets/{address}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One wallet with its portfolio
         * @description One wallet with its portfolio. The page docs/rest.md has more.
         */
        get: operations["getWallet"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/wallets/{address}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The events of one wallet
         * @description The events of one wallet. The page docs/rest.md has more.
         */
        get: operations["listWalletEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/wallets/{address}/positions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The tokens that a wallet holds or held, with cost and profit
         * @description The tokens that a wallet holds or held, with cost and profit. The page docs/rest.md has more.
         */
        get: operations["listWalletPositions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/wallets/{address}/liquidity": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The shares of pools that a wallet holds or held, the most valuable first
         * @description The shares of pools that a wallet holds or held, the most valuable first. The page docs/rest.md has more.
         */
        get: operations["listWalletLiquidity"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The events of all tokens and wallets
         * @description The events of all tokens and wallets. The page docs/rest.md has more.
         */
        get: operations["listEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/scores/wallet/{address}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The reputation of a wallet with its dimensions
         * @description The reputation of a wallet with its dimensions. The page docs/rest.md has more.
         */
        get: operations["getWalletScore"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/scores/token/{address}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The risk of a token with its dimensions
         * @description The risk of a token with its dimensions. The page docs/rest.md has more.
         */
        get: operations["getTokenScore"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Your plan, its limits, your usage by day and route, and your open streams
         * @description Your plan, its limits, your usage by day and route, and your open streams. The page docs/rest.md has more.
         */
        get: operations["getMe"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The keys of your account that work, newest first
         * @description The keys of your account that work, newest first. The page docs/rest.md has more.
         */
        get: operations["listKeys"];
        put?: never;
        /**
         * Makes a key for your account
         * @description Makes a key for your account. The page docs/rest.md has more.
         */
        post: operations["createKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/keys/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One key of your account
         * @description One key of your account. The page docs/rest.md has more.
         */
        get: operations["getKey"];
        put?: never;
        post?: never;
        /**
         * Revokes a key for good
         * @description Revokes a key for good. The page docs/rest.md has more.
         */
        delete: operations["revokeKey"];
        options?: never;
        head?: never;
        /**
         * Renames a key
         * @description Renames a key. The page docs/rest.md has more.
         */
        patch: operations["updateKey"];
        trace?: never;
    };
    "/me/keys/{id}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Gives a key a new secret
         * @description Gives a key a new secret. The page docs/rest.md has more.
         */
        post: operations["rotateKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/alerts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Your alerts, newest first
         * @description Your alerts, newest first. The page docs/rest.md has more.
         */
        get: operations["listAlerts"];
        put?: never;
        /**
         * Makes an active alert
         * @description Makes an active alert. The page docs/rest.md has more.
         */
        post: operations["createAlert"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/alerts/backtest": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * What an alert would have told in the past month
         * @description What an alert would have told in the past month. The page docs/rest.md has more.
         */
        post: operations["backtestAlert"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/alerts/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One alert
         * @description One alert. The page docs/rest.md has more.
         */
        get: operations["getAlert"];
        put?: never;
        post?: never;
        /**
         * Deletes an alert
         * @description Deletes an alert. The page docs/rest.md has more.
         */
        delete: operations["deleteAlert"];
        options?: never;
        head?: never;
        /**
         * Changes an alert
         * @description Changes an alert. The page docs/rest.md has more.
         */
        patch: operations["updateAlert"];
        trace?: never;
    };
    "/alerts/{id}/secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Gives the webhook of an alert a new secret
         * @description Gives the webhook of an alert a new secret. The page docs/rest.md has more.
         */
        post: operations["rotateAlertSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/alerts/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sends a test message by the channel of an alert
         * @description Sends a test message by the channel of an alert. The page docs/rest.md has more.
         */
        post: operations["testAlert"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/gate/policies": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Your saved policies of the gate, by name
         * @description Your saved policies of the gate, by name. The page docs/rest.md has more.
         */
        get: operations["listGatePolicies"];
        put?: never;
        /**
         * Saves a policy of the gate
         * @description Saves a policy of the gate. The page docs/rest.md has more.
         */
        post: operations["createGatePolicy"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/gate/policies/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One saved policy of the gate
         * @description One saved policy of the gate. The page docs/rest.md has more.
         */
        get: operations["getGatePolicy"];
        put?: never;
        post?: never;
        /**
         * Deletes a saved policy of the gate
         * @description Deletes a saved policy of the gate. The page docs/rest.md has more.
         */
        delete: operations["deleteGatePolicy"];
        options?: never;
        head?: never;
        /**
         * Changes a saved policy of the gate
         * @description Changes a saved policy of the gate. The page docs/rest.md has more.
         */
        patch: operations["updateGatePolicy"];
        trace?: never;
    };
    "/sql": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Runs one SELECT over events, candles, scores, tokens and wallets
         * @description Runs one SELECT over events, candles, scores, tokens and wallets. The page docs/rest.md has more.
         */
        post: operations["runSql"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/stream/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The events of all tokens and wallets as they happen
         * @description The events of all tokens and wallets as they happen, as server-sent events. A stream continues after the reader's last `id`. The page docs/streams.md has more.
         */
        get: operations["streamEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/stream/tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The first tokens of a filtered, sorted list as it changes
         * @description The first tokens of a filtered, sorted list as it changes, as server-sent events. The first message has the whole list, and each further one leads to the list of a newer block. The page docs/streams.md has more.
         */
        get: operations["streamTokens"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/stream/ticket": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A ticket that opens one stream without a header
         * @description A ticket that opens one stream without a header, for the EventSource of browsers. It is valid for a minute, for one request, and only while its key is.
         */
        post: operations["createStreamTicket"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/signup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Asks for a mail with a link that gives a key
         * @description Asks for a mail with a link that gives a key. It is 404 unless the server lets people sign up. The answer is the same for every address.
         */
        post: operations["signUp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/signup/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Uses the link of a mail up, and answers a key
         * @description Uses the link of a mail up, and answers a key. A new account gets one for good, an account that exists one for a day.
         */
        post: operations["confirmSignup"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    alertTest: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The owner of an alert tests its webhook
         * @description The owner of an alert tests its webhook. The page docs/alerts.md has more.
         */
        post: operations["receiveAlertTest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    alertMatched: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Tokens began to match an alert
         * @description Tokens began to match an alert. The page docs/alerts.md has more.
         */
        post: operations["receiveAlertMatched"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    events: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Events of a followed token or wallet
         * @description Events of a followed token or wallet. The page docs/alerts.md has more.
         */
        post: operations["receiveEvents"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        /**
         * @description The band that a risk score falls into.
         * @example low
         * @enum {string}
         */
        RiskLevel: "low" | "medium" | "high" | "critical";
        /** @description An indexed token, as of the block that the answer reflects. */
        FoundToken: {
            /**
             * @description The address of the token contract.
             * @example 0x53b99890e68641374569fabd8f6a27334d041914
             */
            address: string;
            /**
             * @description The name from the contract. The deployer wrote it: never trust it.
             * @example Exodus
             */
            name: string;
            /**
             * @description The symbol from the contract. The deployer wrote it: never trust it.
             * @example EXODUS
             */
            symbol: string;
            /**
             * Format: double
             * @description The price of a whole token in USD. It is the mean, weighted by depth, of the pools whose prices agree within 1 % of the median. It is stored in the quote of the deepest pool, and converted at the price of that quote at the block of the answer. It therefore follows the native coin, and a hub, while nobody trades the token. Null when no pool has a price.
             * @example 0.0013
             */
            price_usd: number | null;
            /**
             * Format: double
             * @description The market cap in USD: the price times the supply in circulation (without burned tokens and those of known lockers). The price is at the block of the answer. Null when it is not priced.
             * @example 1390.8
             */
            market_cap_usd: number | null;
            /**
             * Format: double
             * @description The value of both sides of its pools in USD. Of a quote token: of all its pools.
             * @example 1390.8
             */
            liquidity_usd: number;
            /**
             * Format: double
             * @description The risk, 0-100; higher is riskier.
             * @example 30
             */
            risk_score: number;
            /**
             * @description The band of the risk score.
             * @example low
             */
            risk_level: components["schemas"]["RiskLevel"] | components["schemas"]["LaterWord"];
            /**
             * @description The address of the token contract.
             * @example 0x53b99890e68641374569fabd8f6a27334d041914
             */
            lookalike_of: string | null;
        };
        /**
         * @description The behaviour of a wallet; for another address, its kind.
         * @example smart_money
         * @enum {string}
         */
        Classification: "smart_money" | "early_mover" | "sniper" | "whale" | "rug_puller" | "liquidity_provider" | "bot" | "developer" | "sybil" | "retail" | "contract" | "unknown" | "pool" | "burned" | "locker" | "exchange" | "relayer";
        /** @description An indexed wallet: an address that was the wallet or the counterparty of an event, has ever held an indexed token, or is a relayer. */
        FoundWallet: {
            /**
             * @description The address.
             * @example 0x53b99890e68641374569fabd8f6a27334d041914
             */
            address: string;
            /**
             * @description The behaviour of the wallet; for another address, its kind.
             * @example smart_money
             */
            classification: components["schemas"]["Classification"] | components["schemas"]["LaterWord"];
            /**
             * Format: double
             * @description The composite reputation, 0-100; higher is better.
             * @example 60.91
             */
            reputation_score: number;
        };
        /** @description The results of a search. */
        Search: {
            /** @description Tokens by symbol (with or without $), name or the start of their address. The best match comes first, then the most liquid, then the least risky. If few match, lookalike symbols follow (including Unicode lookalikes). Texts of four or more letters then tolerate one typo, eight or more two. */
            tokens: components["schemas"]["FoundToken"][];
            /** @description Wallets by the start of their address, as many as the tokens leave of the limit. */
            wallets: components["schemas"]["FoundWallet"][];
        };
        /**
         * @description A pattern that has preceded losses.
         * @example wash_trading
         * @enum {string}
         */
        RiskFlag: "wash_trading" | "liquidity_pulled" | "concentrated_ownership" | "sybil_cluster" | "smart_money_exiting";
        /**
         * @description How much evidence a number is based on.
         * @example low
         * @enum {string}
         */
        Confidence: "low" | "medium" | "high";
        /**
         * @description The kind of a reason.
         * @example danger
         * @enum {string}
         */
        ReasonKind: "danger" | "caution" | "comfort" | "fact";
        /** @description A reason for a risk score: one fact in plain words. */
        RiskReason: {
            /**
             * @description The kind of the fact.
             * @example danger
             */
            kind: components["schemas"]["ReasonKind"] | components["schemas"]["LaterWord"];
            /**
             * @description The fact, with the measured size: "Liquidity $7.1k, unlocked: 0xa932...51d7 can withdraw 100 %".
             * @example Liquidity $535k, no wallet can withdraw more than 8 %
             */
            text: string;
            /**
             * Format: double
             * @description How many points the fact adds to the risk score, to two digits; negative if it lowers the score.
             * @example -33
             */
            points: number;
        };
        /**
         * @description Whether a sale was tried.
         * @example checked
         * @enum {string}
         */
        SellCheckStatus: "checked" | "not_checked";
        /**
         * @description The reason why no trial gave an answer.
         * @example checks_off
         * @enum {string}
         */
        SellCheckReason: "checks_off" | "vouched_by_preset" | "low_liquidity" | "few_buyers" | "waits_for_check" | "no_pool" | "no_holders" | "exchange_not_supported" | "node_cannot_simulate" | "node_failed" | "out_of_time" | "just_bought";
        /** @description Whether a token could be sold at a block. Null means unknown, never safe. */
        ShortSellCheck: {
            /**
             * @description Whether a sale was tried.
             * @example checked
             */
            status: components["schemas"]["SellCheckStatus"] | components["schemas"]["LaterWord"];
            /**
             * @description Whether holders could sell at the checked block; null if unknown.
             * @example true
             */
            sellable: boolean | null;
            /**
             * Format: double
             * @description The loss of a trial sale to the contract, in percent.
             * @example 12.5
             */
            sell_tax_pct: number | null;
            /**
             * Format: date-time
             * @description The time of that block.
             * @example 2025-11-08T08:53:20.000Z
             */
            checked_at: string | null;
            /**
             * @description The reason why no trial gave an answer; null after one that did.
             * @example checks_off
             */
            reason: components["schemas"]["SellCheckReason"] | components["schemas"]["LaterWord"] | null;
        };
        /**
         * @description What a finding is about.
         * @example sale
         * @enum {string}
         */
        FindingTopic: "sale" | "liquidity" | "owner" | "maker" | "holders" | "market" | "age";
        /** @description One fact about a token. */
        VerdictFinding: {
            /**
             * @description Its kind. A danger means a level of at least `high`; below it what could harm is a caution.
             * @example danger
             */
            kind: components["schemas"]["ReasonKind"] | components["schemas"]["LaterWord"];
            /**
             * @description What it is about.
             * @example sale
             */
            topic: components["schemas"]["FindingTopic"] | components["schemas"]["LaterWord"];
            /**
             * Format: double
             * @description The least risk that the fact alone implies, 0-100 points.
             * @example 30
             */
            severity: number;
            /**
             * @description The fact with the measured size.
             * @example Liquidity $535k, unlocked: 0xa932...51d7 can withdraw 97 %
             */
            text: string;
            /**
             * Format: double
             * @description How many points the fact adds to the risk score, to two digits; negative if it lowers the score.
             * @example 12.5
             */
            points: number;
            /**
             * Format: date-time
             * @description When a check saw it; null: it is as of the block of the score.
             * @example 2025-11-08T08:53:20.000Z
             */
            since: string | null;
            /**
             * Format: int32
             * @description The block at which a check saw it; null: the block of the score.
             * @example 5661
             */
            block: number | null;
        };
        /** @description Something that nobody knows about a token. It never speaks for it. */
        VerdictUnknown: {
            /**
             * @description What it is about.
             * @example sale
             */
            topic: components["schemas"]["FindingTopic"] | components["schemas"]["LaterWord"];
            /**
             * @description What is unknown: "Who can withdraw its liquidity".
             * @example Who can withdraw its liquidity
             */
            text: string;
        };
        /** @description What became of labelled tokens of the same level, at about the same age, in the nearest market: how many were pulled, or fell by 90 % in a day, within 30 days. */
        AlikeTokens: {
            /**
             * @description The same in one sentence.
             * @example Of 138 tokens of this level at an age of 1 day, 25 % were pulled or fell by 90 % within 30 days (18 to 34 %)
             */
            text: string;
            /**
             * Format: int32
             * @description How many such tokens were judged.
             * @example 18
             */
            token_count: number;
            /**
             * Format: int32
             * @description How many of them were pulled, or fell by 90 % in a day, within 30 days.
             * @example 18
             */
            pulled_count: number;
            /**
             * Format: double
             * @description The share of them that was pulled or fell so, 0-1.
             * @example 0.86
             */
            pulled_share: number;
            /**
             * Format: double
             * @description The least true share, 0-1, with a certainty of 95 % together with the largest.
             * @example 0.86
             */
            least_share: number;
            /**
             * Format: double
             * @description The largest true share, 0-1.
             * @example 0.86
             */
            most_share: number;
            /**
             * @description Whether both lie within 15 points. A level that is not proven promises nothing.
             * @example true
             */
            proven: boolean;
            /**
             * Format: double
             * @description Their age when they were judged, in hours.
             * @example 252
             */
            age_hours: number;
        };
        /** @description The verdict on a token. Reasons, summary, messages and pages render it. */
        ShortVerdict: {
            /**
             * @description The level of the risk.
             * @example low
             */
            level: components["schemas"]["RiskLevel"] | components["schemas"]["LaterWord"];
            /**
             * @description One sentence, 90 characters at most. It concludes, and repeats no finding.
             * @example One wallet can take 97 % of the liquidity at any time.
             */
            headline: string;
            /** @description The facts, those that matter most first: dangers, and what happened before what may happen. */
            findings: components["schemas"]["VerdictFinding"][];
            /** @description What nobody knows, the gravest first. */
            unknown: components["schemas"]["VerdictUnknown"][];
            /**
             * @description How sure the verdict is.
             * @example low
             */
            confidence: components["schemas"]["Confidence"] | components["schemas"]["LaterWord"];
            /**
             * Format: date-time
             * @description The time of the contract check that it rests on; null without one.
             * @example 2025-11-08T08:53:20.000Z
             */
            checked_at: string | null;
            /** @description What became of tokens like it. Null: no such token was labelled, it never had liquidity, it was pulled already, or nobody judges it. */
            alike: components["schemas"]["AlikeTokens"] | null;
        };
        /** @description An indexed token, as of the block that the answer reflects. */
        Token: {
            /**
             * @description The address of the token contract.
             * @example 0x53b99890e68641374569fabd8f6a27334d041914
             */
            address: string;
            /**
             * @description The name from the contract. The deployer wrote it: never trust it.
             * @example Exodus
             */
            name: string;
            /**
             * @description The symbol from the contract. The deployer wrote it: never trust it.
             * @example EXODUS
             */
            symbol: string;
            /**
             * Format: double
             * @description The market cap in USD: the price times the supply in circulation (without burned tokens and those of known lockers). The price is at the block of the answer. 0 when it is not priced.
             * @example 1390.8
             */
            market_cap_usd: number;
            /**
             * Format: double
             * @description The volume of the trailing 24 hours in USD.
             * @example 1390.8
             */
            volume_24h_usd: number;
            /**
             * Format: double
             * @description The value of both sides of its pools in USD. Of a quote token: of all its pools.
             * @example 1390.8
             */
            liquidity_usd: number;
            /**
             * Format: int32
             * @description How many addresses hold it.
             * @example 18
             */
            holder_count: number;
            /**
             * Format: double
             * @description Hours from the first log of the token to the block. An old contract may get its first pool long after its first log.
             * @example 252
             */
            age_hours: number;
            /**
             * Format: double
             * @description The risk, 0-100; higher is riskier.
             * @example 30
             */
            risk_score: number;
            /**
             * @description The risk flags that apply; often none.
             * @example [
             *       "wash_trading"
             *     ]
             */
            risk_flags: (components["schemas"]["RiskFlag"] | components["schemas"]["LaterWord"])[];
            /**
             * @description A generated summary of at most 400 characters.
             * @example Exodus (EXODUS) is 9 days old and of medium risk: liquidity $41k, unlocked: 0xa932...51d7 can withdraw 100 %. In its favour: top 10 holders (without pools): 19 %. Confidence is medium: an unchecked contract.
             */
            ai_summary: string;
            /**
             * @description The launch venue, or "unknown". Text, because the set is open: the chain's configuration names its venues.
             * @example uniswap_v2
             */
            launchpad: string;
            /**
             * Format: double
             * @description The price of a whole token in USD. It is the mean, weighted by depth, of the pools whose prices agree within 1 % of the median. It is stored in the quote of the deepest pool, and converted at the price of that quote at the block of the answer. It therefore follows the native coin, and a hub, while nobody trades the token. Null when no pool has a price.
             * @example 0.0013
             */
            price_usd: number | null;
            /**
             * Format: double
             * @description Over the past 24 hours in percent; null if it has no price or had none then.
             * @example 8.1
             */
            price_change_24h_pct: number | null;
            /**
             * Format: double
             * @description The fully diluted value in USD: price x (supply - burned), including locked and unvested tokens, as CoinGecko and DexScreener count it. Tokens that could still be minted are not in it, because no log tells how many. Null when it is not priced, and for a pulled token whose pools are nearly empty.
             * @example 1390.8
             */
            fdv_usd: number | null;
            /**
             * @description How much evidence the score is based on; `explanation` has its gaps.
             * @example low
             */
            confidence: components["schemas"]["Confidence"] | components["schemas"]["LaterWord"];
            /**
             * Format: double
             * @description What snipers of its launch hold of the supply at its newest score, in percent; null where unknown.
             * @example 12.5
             */
            sniper_held_pct: number | null;
            /**
             * Format: double
             * @description What bundled wallets of its launch hold of the supply at its newest score, in percent; null where unknown.
             * @example 12.5
             */
            bundler_held_pct: number | null;
            /**
             * Format: double
             * @description What wallets linked to its maker hold of the supply at its newest score, in percent; null where unknown.
             * @example 12.5
             */
            insider_held_pct: number | null;
            /**
             * Format: double
             * @description What its developer holds of the supply at its newest score, in percent; null where unknown.
             * @example 12.5
             */
            developer_held_pct: number | null;
            /**
             * Format: double
             * @description What fresh wallets of its launch hold of the supply at its newest score, in percent; null where unknown.
             * @example 12.5
             */
            fresh_held_pct: number | null;
            /** @description The three main reasons for the risk score: dangers first, then the largest points; empty before the first score. `score { explanation { reasons } }` has all. */
            reasons: components["schemas"]["RiskReason"][];
            sell_check: components["schemas"]["ShortSellCheck"];
            /** @description The verdict on it, of its newest score; null before the first score. */
            verdict: components["schemas"]["ShortVerdict"] | null;
            /**
             * @description The names of the fields whose value is not known and stands for nothing; often empty.
             * @example [
             *       "market_cap_usd"
             *     ]
             */
            unknown: string[];
        };
        /** @description A page of a list of tokens. */
        TokenPage: {
            /** @description The tokens of this page; empty past the end. */
            data: components["schemas"]["Token"][];
            /**
             * @description How many tokens there are in the whole list.
             * @example 18
             */
            total: number;
            /**
             * @description The number of the page, from 1.
             * @example 1
             */
            page: number;
            /**
             * Format: int32
             * @description The largest number of items per page.
             * @example 50
             */
            limit: number;
        };
        /**
         * @description How a holding changed over the past 7 days.
         * @example accumulating
         * @enum {string}
         */
        NetActivity: "accumulating" | "distributing" | "neutral" | "inactive";
        /** @description An address that holds a token. */
        Holder: {
            /**
             * @description The address of the holder.
             * @example 0x53b99890e68641374569fabd8f6a27334d041914
             */
            address: string;
            /**
             * Format: double
             * @description The share of the supply in percent.
             * @example 12.5
             */
            holding_pct: number;
            /**
             * @description The behaviour of the wallet, or the kind of the address.
             * @example smart_money
             */
            classification: components["schemas"]["Classification"] | components["schemas"]["LaterWord"];
            /**
             * Format: double
             * @description The reputation of the wallet, 0-100.
             * @example 60.91
             */
            reputation_score: number;
            /**
             * @description How the holding changed since the start of the day (UTC) 7 days ago.
             * @example accumulating
             */
            net_activity: components["schemas"]["NetActivity"] | components["schemas"]["LaterWord"];
        };
        /** @description The verdict on a token. Reasons, summary, messages and pages render it. */
        Verdict: {
            /**
             * @description The level of the risk.
             * @example low
             */
            level: components["schemas"]["RiskLevel"] | components["schemas"]["LaterWord"];
            /**
             * @description One sentence, 90 characters at most. It concludes, and repeats no finding.
             * @example One wallet can take 97 % of the liquidity at any time.
             */
            headline: string;
            /** @description The facts, those that matter most first: dangers, and what happened before what may happen. */
            findings: components["schemas"]["VerdictFinding"][];
            /** @description What nobody knows, the gravest first. */
            unknown: components["schemas"]["VerdictUnknown"][];
            /**
             * @description How sure the verdict is.
             * @example low
             */
            confidence: components["schemas"]["Confidence"] | components["schemas"]["LaterWord"];
            /**
             * Format: date-time
             * @description The time of the contract check that it rests on; null without one.
             * @example 2025-11-08T08:53:20.000Z
             */
            checked_at: string | null;
            /** @description What became of tokens like it. Null: no such token was labelled, it never had liquidity, it was pulled already, or nobody judges it. */
            alike: components["schemas"]["AlikeTokens"] | null;
        };
        /** @description An indexed token, as of the block that the answer reflects. */
        TokenProfile: {
            /**
             * @description The address of the token contract.
             * @example 0x53b99890e68641374569fabd8f6a27334d041914
             */
            address: string;
            /**
             * @description The name from the contract. The deployer wrote it: never trust it.
             * @example Exodus
             */
            name: string;
            /**
             * @description The symbol from the contract. The deployer wrote it: never trust it.
             * @example EXODUS
             */
            symbol: string;
            /**
             * Format: double
             * @description The market cap in USD: the price times the supply in circulation (without burned tokens and those of known lockers). The price is at the block of the answer. 0 when it is not priced.
             * @example 1390.8
             */
            market_cap_usd: number;
            /**
             * Format: double
             * @description The volume of the trailing 24 hours in USD.
             * @example 1390.8
             */
            volume_24h_usd: number;
            /**
             * Format: double
             * @description The value of both sides of its pools in USD. Of a quote token: of all its pools.
             * @example 1390.8
             */
            liquidity_usd: number;
            /**
             * Format: int32
             * @description How many addresses hold it.
             * @example 18
             */
            holder_count: number;
            /**
             * Format: double
             * @description Hours from the first log of the token to the block. An old contract may get its first pool long after its first log.
             * @example 252
             */
            age_hours: number;
            /**
             * Format: double
             * @description The risk, 0-100; higher is riskier.
             * @example 30
             */
            risk_score: number;
            /**
             * @description The risk flags that apply; often none.
             * @example [
             *       "wash_trading"
             *     ]
             */
            risk_flags: (components["schemas"]["RiskFlag"] | components["schemas"]["LaterWord"])[];
            /**
             * @description A generated summary of at most 400 characters.
             * @example Exodus (EXODUS) is 9 days old and of medium risk: liquidity $41k, unlocked: 0xa932...51d7 can withdraw 100 %. In its favour: top 10 holders (without pools): 19 %. Confidence is medium: an unchecked contract.
             */
            ai_summary: string;
            /**
             * @description The launch venue, or "unknown". Text, because the set is open: the chain's configuration names its venues.
             * @example uniswap_v2
             */
            launchpad: string;
            /** @description The ten largest holders by share, including pools and burn addresses. */
            top_holders: components["schemas"]["Holder"][];
            /**
             * Format: date-time
             * @description The time at which the token was created: its first log, from which its age counts. Its first pool may come much later.
             * @example 2025-11-08T08:53:20.000Z
             */
            created_at: string;
            /**
             * Format: double
             * @description The price of a whole token in USD. It is the mean, weighted by depth, of the pools whose prices agree within 1 % of the median. It is stored in the quote of the deepest pool, and converted at the price of that quote at the block of the answer. It therefore follows the native coin, and a hub, while nobody trades the token. Null when no pool has a price.
             * @example 0.0013
             */
            price_usd: number | null;
            /**
             * Format: double
             * @description Over the past 24 hours in percent; null if it has no price or had none then.
             * @example 8.1
             */
            price_change_24h_pct: number | null;
            /**
             * Format: double
             * @description The fully diluted value in USD: price x (supply - burned), including locked and unvested tokens, as CoinGecko and DexScreener count it. Tokens that could still be minted are not in it, because no log tells how many. Null when it is not priced, and for a pulled token whose pools are nearly empty.
             * @example 1390.8
             */
            fdv_usd: number | null;
            /**
             * @description How much evidence the score is based on; `explanation` has its gaps.
             * @example low
             */
            confidence: components["schemas"]["Confidence"] | components["schemas"]["LaterWord"];
            /**
             * Format: double
             * @description What snipers of its launch hold of the supply at its newest score, in percent; null where unknown.
             * @example 12.5
             */
            sniper_held_pct: number | null;
            /**
             * Format: double
             * @description What bundled wallets of its launch hold of the supply at its newest score, in percent; null where unknown.
             * @example 12.5
             */
            bundler_held_pct: number | null;
            /**
             * Format: double
             * @description What wallets linked to its maker hold of the supply at its newest score, in percent; null where unknown.
             * @example 12.5
             */
            insider_held_pct: number | null;
            /**
             * Format: double
             * @description What its developer holds of the supply at its newest score, in percent; null where unknown.
             * @example 12.5
             */
            developer_held_pct: number | null;
            /**
             * Format: double
             * @description What fresh wallets of its launch hold of the supply at its newest score, in percent; null where unknown.
             * @example 12.5
             */
            fresh_held_pct: number | null;
            /** @description The three main reasons for the risk score: dangers first, then the largest points; empty before the first score. `score { explanation { reasons } }` has all. */
            reasons: components["schemas"]["RiskReason"][];
            sell_check: components["schemas"]["ShortSellCheck"];
            /** @description The verdict on it, of its newest score; null before the first score. */
            verdict: components["schemas"]["Verdict"] | null;
            /**
             * @description The names of the fields whose value is not known and stands for nothing; often empty.
             * @example [
             *       "market_cap_usd"
             *     ]
             */
            unknown: string[];
        };
        /** @description An address that holds a token. */
        TokenHolder: {
            /**
             * @description The address of the holder.
             * @example 0x53b99890e68641374569fabd8f6a27334d041914
             */
            address: string;
            /**
             * Format: double
             * @description The share of the supply in percent.
             * @example 12.5
             */
            holding_pct: number;
            /**
             * Format: double
             * @description The amount held, in whole tokens; null when the decimals are not known.
             * @example 2269255.3
             */
            quantity: number | null;
            /**
             * Format: double
             * @description The value of the holding in USD, at most the sum that the pools of the token could pay. Null when the token is not priced.
             * @example 1390.8
             */
            value_usd: number | null;
            /**
             * Format: double
             * @description The estimated proceeds of selling the whole holding at once, in USD and without fees. All pricing pools count as one constant-product pool of their depth, so a tenth of the pool brings less than its value. 0 while the newest contract check says that nobody can sell. Null when the token is not priced, or only by a launch curve.
             * @example 1390.8
             */
            sellable_usd: number | null;
            /**
             * @description Whether the token changes balances without Transfers. Then quantity and values are sums of Transfers, and the contract has others. Null when no contract check sampled balances.
             * @example true
             */
            rebasing: boolean | null;
            /**
             * @description The behaviour of the wallet, or the kind of the address.
             * @example smart_money
             */
            classification: components["schemas"]["Classification"] | components["schemas"]["LaterWord"];
            /**
             * Format: double
             * @description The reputation of the wallet, 0-100.
             * @example 60.91
             */
            reputation_score: number;
            /**
             * @description How much evidence the reputation is based on.
             * @example low
             */
            reputation_confidence: components["schemas"]["Confidence"] | components["schemas"]["LaterWord"];
            /**
             * @description How the holding changed since the start of the day (UTC) 7 days ago.
             * @example accumulating
             */
            net_activity: components["schemas"]["NetActivity"] | components["schemas"]["LaterWord"];
            /**
             * Format: date-time
             * @description When the address first received or sent the token.
             * @example 2025-11-08T08:53:20.000Z
             */
            first_at: string;
            /**
             * Format: date-time
             * @description When the holding last changed.
             * @example 2025-11-08T08:53:20.000Z
             */
            last_at: string;
        };
        /** @description A page of a list of holders. */
        HolderPage: {
            /** @description The holders of this page; empty past the end. */
            data: components["schemas"]["TokenHolder"][];
            /**
             * @description How many holders there are in the whole list.
             * @example 18
             */
            total: number;
            /**
             * @description The number of the page, from 1.
             * @example 1
             */
            page: number;
            /**
             * Format: int32
             * @description The largest number of items per page.
             * @example 50
             */
            limit: number;
        };
        /**
         * @description The kind of a pool.
         * @example v2
         * @enum {string}
         */
        PoolType: "v2" | "v3" | "v4" | "coins" | "curve";
        /** @description Tokens that a known locker, or the contract of a launch venue, holds until a time, according to logs. */
        TokenLock: {
            /**
             * @description The address of the locker, or of another contract that keeps the shares.
             * @example 0x53b99890e68641374569fabd8f6a27334d041914
             */
            locker: string;
            /**
             * @description The owner in the log of the locker. Null if the log names none, or if several owners locked for the same day without lock numbers.
             * @example 0x53b99890e68641374569fabd8f6a27334d041914
             */
            owner: string | null;
            /**
             * Format: double
             * @description The amount that the locker really holds for this lock, in percent of the supply, or of the pool's shares.
             * @example 12.5
             */
            share_pct: number;
            /**
             * Format: date-time
             * @description The time from which it can be withdrawn.
             * @example 2025-11-08T08:53:20.000Z
             */
            ends_at: string;
            /**
             * @description Whether scores count it as locked: only if it ends more than 30 days after the hour of the block.
             * @example true
             */
            counts: boolean;
        };
        /** @description A liquidity pool. */
        TokenPool: {
            /**
             * @description The address of the pool contract; for a pool known by 32 bytes, that of its manager.
             * @example 0x53b99890e68641374569fabd8f6a27334d041914
             */
            address: string;
            /**
             * @description The 32 bytes by which its manager knows the pool; for a "curve", its token and the beginning of its venue. Null for a pool with its own address.
             * @example 0x5ce2d520baf944ebd2ae18a21d9ef8ea3d5a5da33bd23c2fb484241edbb55224
             */
            pool_id: string | null;
            /**
             * @description The kind of the pool.
             * @example v2
             */
            type: components["schemas"]["PoolType"] | components["schemas"]["LaterWord"];
            /**
             * @description The factory of the pool.
             * @example 0x53b99890e68641374569fabd8f6a27334d041914
             */
            factory: string;
            /**
             * @description The launch venue of the factory. Text, because the set is open: the chain's configuration names its venues.
             * @example uniswap_v2
             */
            launchpad: string;
            /**
             * Format: double
             * @description The fee of a trade in percent; null if it changes from trade to trade.
             * @example 12.5
             */
            fee_pct: number | null;
            /**
             * Format: double
             * @description The price of one whole token of the base side in whole tokens of the quote side.
             * @example 0.0003
             */
            price_in_quote: number;
            /**
             * Format: double
             * @description Its liquidity in USD; null if hooks settle swaps by their own curve, because no log shows it.
             * @example 1390.8
             */
            liquidity_usd: number | null;
            /**
             * Format: double
             * @description The peak of its liquidity, in USD.
             * @example 1390.8
             */
            peak_liquidity_usd: number;
            /**
             * Format: double
             * @description The size of a trade, in USD and without fees, that moves the price of this pool by 2 %, in the easier direction. V2: from the reserves. V3: from the active liquidity, as if it continued for 2 %, and at most the smaller side. Null without a priced quote.
             * @example 1390.8
             */
            depth_2pct_usd: number | null;
            /**
             * @description The address of the token contract.
             * @example 0x53b99890e68641374569fabd8f6a27334d041914
             */
            base_address: string | null;
            /**
             * @description The address of the token contract.
             * @example 0x53b99890e68641374569fabd8f6a27334d041914
             */
            quote_address: string | null;
            /**
             * @description The symbol from the contract. The deployer wrote it: never trust it.
             * @example EXODUS
             */
            quote_symbol: string | null;
            /**
             * Format: date-time
             * @description The time at which it was created.
             * @example 2025-11-08T08:53:20.000Z
             */
            created_at: string;
            /** @description The locks of the pool's shares, from the logs of known lockers and of launch venues, the soonest to end first. A lock that never ends has the year 9999. A locker's shares beyond these locks have an unknown end. */
            locks: components["schemas"]["TokenLock"][];
        };
        /** @description A page of a list of pools. */
        PoolPage: {
            /** @description The pools of this page; empty past the end. */
            data: components["schemas"]["TokenPool"][];
            /**
             * @description How many pools there are in the whole list.
             * @example 18
             */
            total: number;
            /**
             * @description The number of the page, from 1.
             * @example 1
             */
            page: number;
            /**
             * Format: int32
             * @description The largest number of items per page.
             * @example 50
             */
            limit: number;
        };
        /**
         * @description The length of an interval of a series.
         * @example m1
         * @enum {string}
         */
        Interval: "m1" | "m5" | "m15" | "h1" | "h4" | "d1";
        /** @description The trading of a token in an interval. Prices in the quote are in the last quote of the interval; after a change of the quote they begin anew. */
        Candle: {
            /**
             * Format: date-time
             * @description The first moment of the interval.
             * @example 2025-11-08T08:53:20.000Z
             */
            start: string;
            /**
             * Format: double
             * @description The first price in USD; null when it was not priced.
             * @example 0.0013
             */
            open_usd: number | null;
            /**
             * Format: double
             * @description The highest price in USD; null when it was not priced.
             * @example 0.0013
             */
            high_usd: number | null;
            /**
             * Format: double
             * @description The lowest price in USD; null when it was not priced.
             * @example 0.0013
             */
            low_usd: number | null;
            /**
             * Format: double
             * @description The last price in USD; null when it was not priced at the end.
             * @example 0.0013
             */
            close_usd: number | null;
            /**
             * Format: double
             * @description The volume in USD.
             * @example 1390.8
             */
            volume_usd: number;
            /**
             * Format: double
             * @description The part of the volume that bought it, in USD. Trades that paid with it have neither side.
             * @example 1390.8
             */
            buy_volume_usd: number;
            /**
             * Format: double
             * @description The part of the volume that sold it, in USD.
             * @example 1390.8
             */
            sell_volume_usd: number;
            /**
             * Format: int32
             * @description How many swaps bought it.
             * @example 18
             */
            buy_count: number;
            /**
             * Format: int32
             * @description How many swaps sold it.
             * @example 18
             */
            sell_count: number;
            /**
             * Format: double
             * @description The liquidity at the close in USD.
             * @example 1390.8
             */
            liquidity_usd: number;
            /**
             * Format: int32
             * @description The number of holders at the close.
             * @example 18
             */
            holder_count: number;
            /**
             * Format: double
             * @description Whole tokens in circulation at the close, without burned tokens and those of known lockers. Null for unknown decimals, and where an earlier version indexed.
             * @example 2269255.3
             */
            circulating_supply: number | null;
            /**
             * Format: double
             * @description The market cap at the close in USD: the last price times the supply in circulation then, of a pulled token at most what its pools could pay. Null when it was not priced, and where an earlier version indexed.
             * @example 1390.8
             */
            market_cap_usd: number | null;
        };
        /** @description An indexed token, as of the block that the answer reflects. */
        TokenCandles: {
            /** @description The candles of intervals, oldest first. Candles of m1 are kept for 2 days, of m5 and m15 for 14 days, longer ones for ever. */
            data: components["schemas"]["Candle"][];
        };
        /**
         * @description The order of the traders of a token. There is no order by open profit: it changes with every price, so no index can keep it.
         * @example realised_usd
         * @enum {string}
         */
        TraderOrder: "realised_usd" | "realised_loss_usd" | "volume_usd";
        /** @description A token that a wallet holds or held. */
        Trader: {
            /**
             * @description The address.
             * @example 0x53b99890e68641374569fabd8f6a27334d041914
             */
            wallet_address: string;
            /**
             * @description The behaviour of the wallet; for another address, its kind.
             * @example smart_money
             */
            classification: components["schemas"]["Classification"] | components["schemas"]["LaterWord"];
            /**
             * Format: double
             * @description The composite reputation, 0-100; higher is better.
             * @example 60.91
             */
            reputation_score: number;
            /**
             * Format: double
             * @description The realised profit of its sales, in USD.
             * @example 1390.8
             */
            realised_usd: number;
            /**
             * Format: double
             * @description The unrealised profit in USD: the value minus the cost, of the part with a known cost. Null when the token is not priced.
             * @example 1390.8
             */
            open_usd: number | null;
            /**
             * Format: double
             * @description The money spent on it in total, in USD.
             * @example 1390.8
             */
            bought_usd: number;
            /**
             * Format: double
             * @description The proceeds of its sales in total, in USD.
             * @example 1390.8
             */
            sold_usd: number;
            /**
             * Format: double
             * @description The money spent on it and the proceeds of its sales, together in USD.
             * @example 1390.8
             */
            volume_usd: number;
            /**
             * Format: int32
             * @description How many swaps of the token the wallet made.
             * @example 18
             */
            trade_count: number;
            /**
             * Format: double
             * @description The amount held, in whole tokens; null when the decimals are not known.
             * @example 2269255.3
             */
            quantity: number | null;
            /**
             * Format: date-time
             * @description The time of the wallet's first event with the token.
             * @example 2025-11-08T08:53:20.000Z
             */
            first_at: string;
            /**
             * Format: date-time
             * @description The time at which the holding last changed.
             * @example 2025-11-08T08:53:20.000Z
             */
            last_at: string;
        };
        /** @description An indexed token, as of the block that the answer reflects. */
        TokenTraders: {
            /** @description The positions of the traders of the token, by profit or volume since it was indexed. */
            data: components["schemas"]["Trader"][];
        };
        /**
         * @description A group of wallets around a launch. A wallet can be in several of them.
         * @example snipers
         * @enum {string}
         */
        LaunchGroupName: "snipers" | "bundlers" | "insiders" | "developer" | "fresh";
        /**
         * @description The reason why a group, or its peak and the share that it sold, are unknown.
         * @example money
         * @enum {string}
         */
        LaunchUnknown: "money" | "opening_unknown" | "events_removed" | "deployer_unknown" | "wallet_ages_unknown" | "supply_unknown" | "too_many_events" | "events_differ" | "supply_shrank";
        /** @description A wallet of a launch group. */
        LaunchWallet: {
            /**
             * @description The address.
             * @example 0x53b99890e68641374569fabd8f6a27334d041914
             */
            address: string;
            /**
             * Format: date-time
             * @description When it first bought the token; null if it did not buy during the launch.
             * @example 2025-11-08T08:53:20.000Z
             */
            first_buy_at: string | null;
            /**
             * Format: double
             * @description Its share of the supply without burned tokens, in percent; null if the supply is unknown.
             * @example 12.5
             */
            held_pct: number | null;
            /**
             * Format: double
             * @description The money spent on the token, in USD.
             * @example 1390.8
             */
            bought_usd: number;
            /**
             * Format: double
             * @description The proceeds of its sales, in USD.
             * @example 1390.8
             */
            sold_usd: number;
            /**
             * Format: double
             * @description The profit of its sales with a known cost, in USD; null if it sold, and no sale has a known cost.
             * @example 1390.8
             */
            realised_usd: number | null;
        };
        /** @description A group of wallets around the launch of a token. A number is null where it cannot be known. */
        LaunchGroup: {
            /**
             * @description The group.
             * @example snipers
             */
            name: components["schemas"]["LaunchGroupName"] | components["schemas"]["LaterWord"];
            /**
             * @description Who belongs to it.
             * @example First bought within 60 seconds of the first liquidity.
             */
            definition: string;
            /**
             * @description Why the group, or its peak and the share that it sold, are unknown; empty if all is known.
             * @example [
             *       "money"
             *     ]
             */
            unknown: (components["schemas"]["LaunchUnknown"] | components["schemas"]["LaterWord"])[];
            /**
             * Format: int32
             * @description How many wallets it has; null if unknown.
             * @example 18
             */
            wallet_count: number | null;
            /**
             * Format: double
             * @description The share of the supply without burned tokens that it holds, in percent; null if unknown.
             * @example 12.5
             */
            held_pct: number | null;
            /**
             * Format: double
             * @description The largest share that it held together at the end of a block, from the opening on, in percent of today's supply without burned tokens; null if unknown.
             * @example 12.5
             */
            peak_pct: number | null;
            /**
             * Format: date-time
             * @description When it first held that; null if unknown, and if it never held any.
             * @example 2025-11-08T08:53:20.000Z
             */
            peak_at: string | null;
            /**
             * Format: double
             * @description What it sold, in percent of today's supply without burned tokens; above 100 if it sold tokens again; null if unknown.
             * @example 12.5
             */
            sold_pct: number | null;
            /**
             * Format: double
             * @description The proceeds of its sales, in USD; null if its wallets are unknown.
             * @example 1390.8
             */
            sold_usd: number | null;
            /**
             * Format: double
             * @description The profit of its sales with a known cost, in USD; null if its wallets are unknown, and if no sale has a known cost.
             * @example 1390.8
             */
            realised_usd: number | null;
            /**
             * Format: double
             * @description The share of its proceeds with a known cost, 0-1; 1 without sales; null if its wallets are unknown.
             * @example 0.86
             */
            coverage: number | null;
            /** @description The wallets of this page; empty past the end. */
            wallets: components["schemas"]["LaunchWallet"][];
        };
        /** @description The groups of wallets around the launch of a token. */
        TokenLaunchGroups: {
            /**
             * Format: date-time
             * @description The time of the first liquidity, from which the groups count; null if unknown.
             * @example 2025-11-08T08:53:20.000Z
             */
            opened_at: string | null;
            /** @description The groups, always all of them. */
            groups: components["schemas"]["LaunchGroup"][];
        };
        /**
         * @description The method of the trial sale.
         * @example simulation
         * @enum {string}
         */
        SellCheckMethod: "simulation" | "override" | "constructor" | "transfer";
        /** @description The word of the server's operator for a token. It stands beside what the check found, and changes nothing of it. */
        OperatorVouch: {
            /**
             * @description The reason that the operator gives.
             * @example we know its team: sales open on Monday
             */
            reason: string;
            /**
             * Format: date-time
             * @description When the operator said so.
             * @example 2025-11-08T08:53:20.000Z
             */
            since: string;
        };
        /** @description A JSON-RPC call that anyone can repeat on a node with the state of its block. */
        RpcCall: {
            /**
             * @description The method.
             * @example eth_call
             */
            method: string;
            /**
             * @description The parameters as JSON.
             * @example [{"to":"0x6b175474e89094c44da98b954eedeac495271d0f","data":"0x18160ddd"},"0x161c"]
             */
            params: string;
        };
        /** @description Whether a token could be sold at a block. Null means unknown, never safe. */
        SellCheck: {
            /**
             * @description Whether a sale was tried.
             * @example checked
             */
            status: components["schemas"]["SellCheckStatus"] | components["schemas"]["LaterWord"];
            /**
             * @description Whether holders could sell at the checked block; null if unknown.
             * @example true
             */
            sellable: boolean | null;
            /**
             * @description Whether a stranger could buy; null if unknown.
             * @example true
             */
            buyable: boolean | null;
            /**
             * Format: double
             * @description The loss of a trial purchase to the contract, in percent.
             * @example 12.5
             */
            buy_tax_pct: number | null;
            /**
             * Format: double
             * @description The loss of a trial sale to the contract, in percent.
             * @example 12.5
             */
            sell_tax_pct: number | null;
            /**
             * Format: double
             * @description The loss of real sales to the contract, in percent, by their logs.
             * @example 12.5
             */
            measured_sell_tax_pct: number | null;
            /**
             * Format: int32
             * @description How many holders were tried.
             * @example 8
             */
            holders_tried: number;
            /**
             * Format: int32
             * @description How many of them could not send to the pool.
             * @example 8
             */
            holders_blocked: number;
            /**
             * Format: int32
             * @description The block of the check: all calls ran at its end; null before the first check.
             * @example 5661
             */
            checked_block: number | null;
            /**
             * Format: date-time
             * @description The time of that block.
             * @example 2025-11-08T08:53:20.000Z
             */
            checked_at: string | null;
            /**
             * @description The method of the trial.
             * @example simulation
             */
            method: components["schemas"]["SellCheckMethod"] | components["schemas"]["LaterWord"] | null;
            /**
             * @description The reason why no trial gave an answer; null after one that did.
             * @example checks_off
             */
            reason: components["schemas"]["SellCheckReason"] | components["schemas"]["LaterWord"] | null;
            /**
             * @description The contract's reason for a refusal. The contract wrote it: do not trust it.
             * @example trading is not open
             */
            refusal: string;
            /** @description The word of the operator for this token; null without one. It is no evidence. */
            vouch: components["schemas"]["OperatorVouch"] | null;
            /** @description The call that proves it. */
            call: components["schemas"]["RpcCall"] | null;
        };
        /**
         * @description A power over the holders of a token.
         * @example stop_sales
         * @enum {string}
         */
        PowerKind: "stop_sales" | "pause" | "blacklist" | "fee" | "limits" | "mint" | "take" | "upgrade" | "destroy";
        /**
         * @description The kind of the holder of a power.
         * @example account
         * @enum {string}
         */
        PowerHolderKind: "account" | "contract" | "multisig" | "timelock" | "anyone" | "time" | "nobody_known" | "empty_address" | "unknown";
        /** @description A power over the holders of a token. */
        Power: {
            /**
             * @description The kind of the power.
             * @example stop_sales
             */
            kind: components["schemas"]["PowerKind"] | components["schemas"]["LaterWord"];
            /**
             * @description The power as a sentence.
             * @example one account 0x1234...abcd can pause transfers without notice
             */
            text: string;
            /**
             * @description The signature of the function, or its selector. Of a token that the chain runs: the role or policy. `code`: that of an address without code.
             * @example pause()
             */
            function: string;
            /**
             * @description The contract of the function.
             * @example 0x53b99890e68641374569fabd8f6a27334d041914
             */
            contract: string;
            /**
             * @description The holder of the power; null if none is named.
             * @example 0x53b99890e68641374569fabd8f6a27334d041914
             */
            holder: string | null;
            /**
             * @description The kind of the holder.
             * @example account
             */
            holder_kind: components["schemas"]["PowerHolderKind"] | components["schemas"]["LaterWord"];
            /**
             * @description Whether the power has no holder any more.
             * @example true
             */
            renounced: boolean;
            /**
             * Format: int32
             * @description How many seconds the holder has to wait after an announcement; 0 for no wait, or an unknown one.
             * @example 172800
             */
            delay_seconds: number;
            /**
             * @description Whether the contract does not name the power.
             * @example true
             */
            hidden: boolean;
            /**
             * @description Whether only an entry of a mapping admits the holder; false also where that was not shown.
             * @example true
             */
            by_mapping: boolean;
            /**
             * @description Whether the power was tried, rather than concluded from a name.
             * @example true
             */
            proven: boolean;
            /** @description The trial, or the code that has the function of that name; null without both. */
            call: components["schemas"]["RpcCall"] | null;
        };
        /**
         * @description A finding that keeps a risk score from falling below a number.
         * @example wash_trading
         * @enum {string}
         */
        ScoreFinding: "wash_trading" | "liquidity_pulled" | "concentrated_ownership" | "sybil_cluster" | "smart_money_exiting" | "fell_within_a_day" | "fell_within_a_month" | "opener_emptied" | "not_priced" | "barely_known" | "cannot_sell" | "balances_gone" | "extreme_tax" | "taken_without_approval" | "nobody_can_buy" | "late_mint" | "time_bomb" | "spends_without_allowance" | "hidden_power" | "confiscating_power" | "high_tax" | "open_power" | "hides_from_simulation" | "answers_differ" | "few_buyers_sold" | "run_of_buys" | "new_buyers_refused" | "young" | "low_confidence" | "one_wallet_can_withdraw" | "withdrawal_unknown" | "contract_not_checked" | "pull_likely" | "recently_higher" | "deployer_pulled";
        /** @description A finding of the check. */
        ContractFinding: {
            /**
             * @description Its name.
             * @example cannot_sell
             */
            name: components["schemas"]["ScoreFinding"] | components["schemas"]["LaterWord"];
            /**
             * @description The finding as a sentence.
             * @example 8 of 8 holders could not sell at block 5661
             */
            text: string;
            /**
             * Format: double
             * @description The finding keeps the risk score at this or higher, 0 to 100 points; 0: the finding is only a hint.
             * @example 60.91
             */
            risk_at_least: number;
            /** @description The call that proves it. */
            call: components["schemas"]["RpcCall"] | null;
        };
        /** @description Sampled holders whose balance by the contract is not the sum of the token's Transfers. */
        BalancesDiffer: {
            /**
             * Format: int32
             * @description How many holders were sampled.
             * @example 10
             */
            asked: number;
            /**
             * Format: int32
             * @description How many of them have under a tenth of that sum.
             * @example 9
             */
            differ: number;
            /**
             * Format: int32
             * @description How many others have more or less than that sum.
             * @example 1
             */
            moved: number;
            /**
             * @description Whether most of them have more or less than that sum. Then the token changes balances without Transfers, and each balance shown here is a sum of Transfers.
             * @example true
             */
            rebasing: boolean;
        };
        /** @description The multiplier of a token by ERC-8056, such as a share after a split: wallets show raw amounts times it. Prices, supplies and holdings here are of raw amounts. */
        Multiplier: {
            /**
             * Format: double
             * @description The multiplier at the checked block.
             * @example 2
             */
            value: number;
            /**
             * Format: double
             * @description The scheduled multiplier, in shown units a raw unit; null if none is scheduled. It takes effect without a log.
             * @example 3
             */
            next_value: number | null;
            /**
             * Format: date-time
             * @description When the scheduled multiplier takes effect.
             * @example 2025-11-08T08:53:20.000Z
             */
            effective_at: string | null;
        };
        /**
         * @description Why not all that somebody can do to holders could be read.
         * @example no_code
         * @enum {string}
         */
        CodeUnread: "no_code" | "not_evm_code" | "too_long" | "no_functions" | "roles_unknown";
        /**
         * @description A standard of tokens that the chain itself runs.
         * @example b20
         * @enum {string}
         */
        NativeToken: "b20" | "cas20";
        /** @description The code of a token. */
        TokenCode: {
            /**
             * @description Keccak-256 of the token's own code.
             * @example 0x5ce2d520baf944ebd2ae18a21d9ef8ea3d5a5da33bd23c2fb484241edbb55224
             */
            hash: string;
            /**
             * @description The kind of proxy, such as eip1967 or eip1167; null without a proxy.
             * @example eip1967
             */
            proxy: string | null;
            /**
             * @description The contract to which a proxy delegates its calls.
             * @example 0x53b99890e68641374569fabd8f6a27334d041914
             */
            implementation: string | null;
            /**
             * @description The owner that the contract names.
             * @example 0x53b99890e68641374569fabd8f6a27334d041914
             */
            owner: string | null;
            /**
             * @description The account that may replace the implementation, by its storage.
             * @example 0x53b99890e68641374569fabd8f6a27334d041914
             */
            admin: string | null;
            /**
             * @description Whether it is a minimal clone, whose implementation nobody can replace.
             * @example true
             */
            verified_clone: boolean;
            /**
             * @description Why powers may exist that are not listed; null: all that could have one was read.
             * @example no_code
             */
            unread: components["schemas"]["CodeUnread"] | components["schemas"]["LaterWord"] | null;
            /**
             * @description The standard of a token that the chain itself runs; null for a contract.
             * @example b20
             */
            native: components["schemas"]["NativeToken"] | components["schemas"]["LaterWord"] | null;
            /**
             * Format: int32
             * @description How many checked tokens run the same code, including this one; 10,000 at most, and 0 where no code says what it does.
             * @example 3
             */
            tokens_with_same_code: number;
        };
        /** @description An indexed token, as of the block that the answer reflects. */
        TokenSafety: {
            /**
             * @description The address of the token contract.
             * @example 0x53b99890e68641374569fabd8f6a27334d041914
             */
            address: string;
            /**
             * @description The symbol from the contract. The deployer wrote it: never trust it.
             * @example EXODUS
             */
            symbol: string;
            /**
             * Format: double
             * @description The risk, 0-100; higher is riskier.
             * @example 30
             */
            risk_score: number;
            sell_check: components["schemas"]["SellCheck"];
            /** @description The powers over its holders, the gravest first. Null if nothing was read that could show one. It is empty only beside the list of what they were read from. */
            powers: components["schemas"]["Power"][] | null;
            /**
             * @description What its powers were read from: contracts with their functions, or roles, policies and features.
             * @example [
             *       "0x53b99890e68641374569fabd8f6a27334d041914: 10 functions"
             *     ]
             */
            powers_read: string[];
            /** @description The findings of the check, the gravest first; empty also without a check. */
            findings: components["schemas"]["ContractFinding"][];
            /** @description Whether holders have the balances of its Transfers; null without a sample. */
            balances_differ: components["schemas"]["BalancesDiffer"] | null;
            /** @description The multiplier of its shown amounts; null without one, or without a check. */
            multiplier: components["schemas"]["Multiplier"] | null;
            /** @description Its code; null if it was not read. */
            code: components["schemas"]["TokenCode"] | null;
        };
        /**
         * @description What became of a request for a contract check.
         * @example checked
         * @enum {string}
         */
        CheckState: "checked" | "waits" | "failed" | "checks_off" | "vouched_by_preset" | "not_erc20";
        /** @description What became of a request for a contract check, and the token after it. */
        TokenCheckPayload: {
            /**
             * @description What became of the request.
             * @example checked
             */
            state: components["schemas"]["CheckState"] | components["schemas"]["LaterWord"];
            /**
             * @description The address of the token contract.
             * @example 0x53b99890e68641374569fabd8f6a27334d041914
             */
            address: string;
            /**
             * @description The symbol from the contract. The deployer wrote it: never trust it.
             * @example EXODUS
             */
            symbol: string;
            /**
             * Format: double
             * @description The risk, 0-100; higher is riskier.
             * @example 30
             */
            risk_score: number;
            /** @description The verdict on it, of its newest score; null before the first score. */
            verdict: components["schemas"]["Verdict"] | null;
            sell_check: components["schemas"]["SellCheck"];
        };
        /**
         * @description What a bot wants to do.
         * @example buy
         * @enum {string}
         */
        GateAction: "buy";
        /**
         * @description What a bot may do.
         * @example allow
         * @enum {string}
         */
        GateDecision: "allow" | "review" | "block";
        /** @description A rule that speaks against it. */
        GateReason: {
            /**
             * @description The word of the finding, or of the rule. Text, because the set is open.
             * @example open_power
             */
            name: string;
            /**
             * @description What it leads to.
             * @example allow
             */
            decision: components["schemas"]["GateDecision"] | components["schemas"]["LaterWord"];
            /**
             * @description The reason with the measured size.
             * @example one account 0x1234...abcd can pause transfers without notice
             */
            text: string;
        };
        /** @description What became of tokens of one level and age in this installation; `accuracy` has all of them. */
        LevelRecord: {
            /**
             * @description The same in one sentence, or why nobody knows.
             * @example Of 200 tokens of high risk at an age of 1 day, 74 to 85 % were pulled within 30 days
             */
            text: string;
            /**
             * Format: int32
             * @description How many tokens were judged.
             * @example 200
             */
            token_count: number;
            /**
             * Format: int32
             * @description How many of them were pulled by then.
             * @example 160
             */
            pulled_count: number;
            /**
             * Format: double
             * @description The share of them that was pulled, 0-1; null: no token was judged.
             * @example 0.8
             */
            pulled_share: number | null;
            /**
             * Format: int32
             * @description How many days after the level was said; null: no token was judged.
             * @example 30
             */
            horizon_days: number | null;
        };
        /** @description How old a fact is. */
        GateAge: {
            /**
             * @description The fact: `index`, `score` or `check`.
             * @example check
             */
            fact: string;
            /**
             * Format: int32
             * @description The block of the fact; null: there is none.
             * @example 5661
             */
            block: number | null;
            /**
             * Format: int32
             * @description Its age at the block of the answer, in seconds of the chain; of the index: at the time of the answer. Null: there is no such fact.
             * @example 600
             */
            seconds: number | null;
        };
        /** @description A JSON-RPC call that shows a fact. Anyone can repeat it on a node with the state of its block. */
        GateCall: {
            /**
             * @description The fact: `sale`, or the name of a finding.
             * @example sale
             */
            of: string;
            /**
             * @description The method.
             * @example eth_call
             */
            method: string;
            /**
             * @description The parameters as JSON.
             * @example [{"to":"0x6b175474e89094c44da98b954eedeac495271d0f","data":"0x18160ddd"},"0x161c"]
             */
            params: string;
            /**
             * @description Whether the contract refused it; null where the answer has the results of several steps.
             * @example true
             */
            refused: boolean | null;
        };
        /** @description Whether a bot may trade a token now. */
        Gate: {
            /**
             * @description What the bot may do.
             * @example allow
             */
            decision: components["schemas"]["GateDecision"] | components["schemas"]["LaterWord"];
            /**
             * @description The token.
             * @example 0x53b99890e68641374569fabd8f6a27334d041914
             */
            token: string;
            /**
             * @description What the bot wants to do.
             * @example buy
             */
            action: components["schemas"]["GateAction"] | components["schemas"]["LaterWord"];
            /**
             * Format: double
             * @description The size of its order in USD; null: of any size.
             * @example 1390.8
             */
            amount_usd: number | null;
            /**
             * @description The name of the policy.
             * @example standard
             */
            policy: string;
            /**
             * @description The conclusion of the verdict in one sentence.
             * @example Traders with a good record are getting out.
             */
            headline: string;
            /** @description What speaks against it, the gravest first. */
            reasons: components["schemas"]["GateReason"][];
            /**
             * @description What would be needed to decide. Where anything is missing, the decision is not `allow`.
             * @example [
             *       "A recent check of its contract"
             *     ]
             */
            missing: string[];
            /**
             * Format: double
             * @description The model's estimate of the chance of a pull within 30 days, in percent: no count of tokens, which `alike` has. Null for a base asset.
             * @example 12.5
             */
            pull_chance_30d_pct: number | null;
            /** @description What became of labelled tokens of its level and age; null: there are none. */
            alike: components["schemas"]["AlikeTokens"] | null;
            track_record: components["schemas"]["LevelRecord"];
            /**
             * Format: int32
             * @description The block of the facts.
             * @example 5661
             */
            block_number: number;
            /**
             * Format: date-time
             * @description The time of that block.
             * @example 2025-11-08T08:53:20.000Z
             */
            timestamp: string;
            /** @description How old each fact is. */
            ages: components["schemas"]["GateAge"][];
            /** @description The calls that show what the contract check found. `assay replay` makes them again. */
            calls: components["schemas"]["GateCall"][];
            /**
             * @description All of this as a JWS (RFC 7515) by Ed25519; /.well-known/jwks.json has the public key.
             * @example eyJhbGciOiJFZERTQSJ9.eyJkZWNpc2lvbiI6ImFsbG93In0.c2lnbmF0dXJl
             */
            signed: string;
        };
        /** @description How many tokens a policy would have stopped. */
        GateCounts: {
            /**
             * Format: int32
             * @description How many tokens.
             * @example 41
             */
            tokens: number;
            /**
             * Format: int32
             * @description How many it would have blocked.
             * @example 38
             */
            blocked: number;
            /**
             * Format: int32
             * @description How many it would have reviewed, those without a contract check by then included.
             * @example 2
             */
            reviewed: number;
            /**
             * Format: int32
             * @description How many no kept fact speaks against. Others are not kept, so none of them counts as allowed.
             * @example 1
             */
            undecided: number;
        };
        /** @description What the gate would have said of the past month's new tokens, beside what became of them. */
        GateBacktest: {
            /**
             * @description The conclusion in one sentence.
             * @example Asked at an age of 1 h: of 41 that were pulled since, it blocks 38, reviews 2 and leaves 1 undecided; of 900 that were not, it blocks 12, reviews 130 and leaves 758 undecided.
             */
            summary: string;
            /**
             * Format: date-time
             * @description The beginning: tokens that were made from then on.
             * @example 2025-11-08T08:53:20.000Z
             */
            from: string;
            /**
             * Format: date-time
             * @description The end: tokens that were made up to then.
             * @example 2025-11-08T08:53:20.000Z
             */
            to: string;
            /**
             * Format: int32
             * @description The age in hours at which each token is asked about.
             * @example 252
             */
            age_hours: number;
            /**
             * Format: date-time
             * @description The time from which the facts of tokens are kept; null when there are none yet.
             * @example 2025-11-08T08:53:20.000Z
             */
            kept_since: string | null;
            /**
             * Format: date-time
             * @description The time from which the facts are kept at each block; null when never. Before it, a token is asked about at the end of a day.
             * @example 2025-11-08T08:53:20.000Z
             */
            exact_since: string | null;
            pulled: components["schemas"]["GateCounts"];
            others: components["schemas"]["GateCounts"];
            /**
             * Format: int32
             * @description How many were pulled before they were asked about. They are in no count.
             * @example 18
             */
            pulled_before_count: number;
            /**
             * Format: int32
             * @description How many have not reached the age. They are in no count.
             * @example 18
             */
            too_young_count: number;
            /**
             * @description What cannot be tested in the past: it may have stopped more tokens.
             * @example [
             *       "What nobody knew of the token"
             *     ]
             */
            untested: string[];
        };
        /**
         * @description A number by which a list of wallets can be ordered. Profits are stored in total and by week. Sums over other periods, and open profits, which change with every price, have no index.
         * @example reputation_score
         * @enum {string}
         */
        WalletOrderField: "reputation_score" | "reputation_confidence" | "realised_usd" | "realised_this_week_usd" | "realised_last_week_usd" | "trade_count";
        /**
         * @description The direction of an order.
         * @example asc
         * @enum {string}
         */
        SortDirection: "asc" | "desc";
        /**
         * @description The kind of an address, as far as the chain and its preset show.
         * @example account
         * @enum {string}
         */
        WalletKind: "account" | "contract" | "pool" | "burned" | "locker" | "exchange";
        /** @description An indexed wallet: an address that was the wallet or the counterparty of an event, has ever held an indexed token, or is a relayer. */
        ListedWallet: {
            /**
             * @description The address.
             * @example 0x53b99890e68641374569fabd8f6a27334d041914
             */
            address: string;
            /**
             * @description The behaviour of the wallet; for another address, its kind.
             * @example smart_money
             */
            classification: components["schemas"]["Classification"] | components["schemas"]["LaterWord"];
            /**
             * Format: double
             * @description The composite reputation, 0-100; higher is better.
             * @example 60.91
             */
            reputation_score: number;
            /**
             * @description How much evidence the reputation is based on.
             * @example low
             */
            reputation_confidence: components["schemas"]["Confidence"] | components["schemas"]["LaterWord"];
            /**
             * Format: int32
             * @description How many swaps it made.
             * @example 18
             */
            trade_count: number;
            /**
             * Format: int32
             * @description How many positions it closed: bought, then sold or sent away except for 5 % at most.
             * @example 18
             */
            closed_position_count: number;
            /**
             * Format: int32
             * @description How many of its closed positions made a profit.
             * @example 18
             */
            won_position_count: number;
            /**
             * Format: double
             * @description The realised profit in USD: the proceeds of sales with a known cost, minus that cost.
             * @example 1390.8
             */
            realised_usd: number;
            /**
             * Format: double
             * @description The part of it since Thursday 00:00 UTC, in USD.
             * @example 1390.8
             */
            realised_this_week_usd: number;
            /**
             * Format: double
             * @description The part of it in the week before, in USD.
             * @example 1390.8
             */
            realised_last_week_usd: number;
            /**
             * Format: date-time
             * @description The time of the first block with a decoded log or a plain payment that names it.
             * @example 2025-11-08T08:53:20.000Z
             */
            first_seen: string;
            /**
             * Format: date-time
             * @description The time of its newest swap; null when it made none.
             * @example 2025-11-08T08:53:20.000Z
             */
            last_trade_at: string | null;
        };
        /** @description A page of a list of wallets. */
        WalletPage: {
            /** @description The wallets of this page; empty past the end. */
            data: components["schemas"]["ListedWallet"][];
            /**
             * @description How many wallets there are in the whole list; null above 5000 wallets to read.
             * @example 18
             */
            total: number | null;
            /**
             * @description The number of the page, from 1.
             * @example 1
             */
            page: number;
            /**
             * Format: int32
             * @description The largest number of items per page.
             * @example 50
             */
            limit: number;
        };
        /** @description A token that a wallet holds or held. */
        Position: {
            /**
             * @description The address of the token.
             * @example 0x53b99890e68641374569fabd8f6a27334d041914
             */
            token_address: string;
            /**
             * @description The symbol of the token from its contract: anyone can choose it.
             * @example EXODUS
             */
            token_symbol: string;
            /**
             * Format: double
             * @description The amount held, in whole tokens; 0 for unknown decimals.
             * @example 2269255.3
             */
            quantity: number;
            /**
             * Format: double
             * @description The value of the holding in USD; 0 when the token is not priced.
             * @example 1390.8
             */
            value_usd: number;
        };
        /** @description What a wallet earned in a number of days. */
        WalletResult: {
            /**
             * Format: double
             * @description The realised profit of the days in USD: the proceeds of sales with a known cost, minus that cost.
             * @example 1390.8
             */
            realised_usd: number;
            /**
             * Format: int32
             * @description How many positions it closed in the days.
             * @example 18
             */
            closed_position_count: number;
            /**
             * Format: int32
             * @description How many of these made a profit.
             * @example 18
             */
            won_position_count: number;
            /**
             * Format: double
             * @description The share of the closed positions that made a profit, 0-1; 0 without closed positions.
             * @example 0.86
             */
            win_rate: number | null;
        };
        /** @description What a wallet earned in the newest days. */
        WalletResults: {
            /** @description The 7 days of UTC up to the block. Null where the index has not all of them. */
            d7: components["schemas"]["WalletResult"] | null;
            /** @description The 30 days of UTC up to the block. Null where the index has not all of them. */
            d30: components["schemas"]["WalletResult"] | null;
        };
        /** @description An indexed wallet: an address that was the wallet or the counterparty of an event, has ever held an indexed token, or is a relayer. */
        Wallet: {
            /**
             * @description The address.
             * @example 0x53b99890e68641374569fabd8f6a27334d041914
             */
            address: string;
            /**
             * @description The behaviour of the wallet; for another address, its kind.
             * @example smart_money
             */
            classification: components["schemas"]["Classification"] | components["schemas"]["LaterWord"];
            /**
             * Format: double
             * @description The composite reputation, 0-100; higher is better.
             * @example 60.91
             */
            reputation_score: number;
            /**
             * @description How much evidence the reputation is based on.
             * @example low
             */
            reputation_confidence: components["schemas"]["Confidence"] | components["schemas"]["LaterWord"];
            /** @description The holdings of the wallet, the most valuable first. Only the wrapped native coin is included, because payments by contracts write no log. Beyond 200, `positions` has pages. Refused if the wallets of a query have more than 200000 positions together. */
            portfolio: components["schemas"]["Position"][];
            /**
             * Format: double
             * @description The estimated profit and loss in USD, realised and open, at average cost. It excludes gas, because no log has its price.
             * @example 1390.8
             */
            pnl_estimate_usd: number;
            /**
             * @description How reliable the estimate is: how many sales have a known cost, and how many holdings a price.
             * @example low
             */
            pnl_confidence: components["schemas"]["Confidence"] | components["schemas"]["LaterWord"];
            /**
             * @description The sector that the wallet trades most, or "unknown". Text, because the set is open, like that of launchpads.
             * @example uniswap_v2
             */
            sector_preference: string;
            /**
             * Format: int32
             * @description How many swaps it made.
             * @example 18
             */
            trade_count: number;
            /**
             * Format: date-time
             * @description The time of the first block with a decoded log or a plain payment that names it.
             * @example 2025-11-08T08:53:20.000Z
             */
            first_seen: string;
            /** @description Its realised profit and win rate of 7 and 30 days. */
            results: components["schemas"]["WalletResults"] | null;
        };
        /**
         * @description The kind of an event.
         * @example swap
         * @enum {string}
         */
        EventType: "swap" | "liquidity_add" | "liquidity_remove" | "transfer";
        /**
         * @description The side of a swap, from the view of the wallet.
         * @example buy
         * @enum {string}
         */
        Direction: "buy" | "sell";
        /** @description Something that happened to an indexed token on the chain. */
        WalletEvent: {
            /**
             * @description The identifier: block number, index of the log in the block, and part of that log, such as 5661-12-0.
             * @example 5661-12-0
             */
            id: string;
            /**
             * @description What happened.
             * @example swap
             */
            type: components["schemas"]["EventType"] | components["schemas"]["LaterWord"];
            /**
             * @description The address of the token.
             * @example 0x53b99890e68641374569fabd8f6a27334d041914
             */
            token_address: string;
            /**
             * @description The symbol of the token from its contract: anyone can choose it.
             * @example EXODUS
             */
            token_symbol: string;
            /**
             * Format: double
             * @description The value in USD at that time.
             * @example 1390.8
             */
            amount_usd: number;
            /**
             * @description The side of a swap; null for every other type.
             * @example buy
             */
            direction: components["schemas"]["Direction"] | components["schemas"]["LaterWord"] | null;
            /**
             * Format: date-time
             * @description The time of the block.
             * @example 2025-11-08T08:53:20.000Z
             */
            timestamp: string;
            /**
             * @description The hash of the transaction: 0x and 64 hex digits.
             * @example 0x5ce2d520baf944ebd2ae18a21d9ef8ea3d5a5da33bd23c2fb484241edbb55224
             */
            tx_hash: string;
            /**
             * Format: double
             * @description The amount of the token, in whole tokens; null when the decimals are not known.
             * @example 2269255.3
             */
            quantity: number | null;
            /**
             * Format: double
             * @description The price of a whole token in this swap in USD: its value over its amount. Null for every other type, for a value under a cent, and for unknown decimals.
             * @example 0.0013
             */
            price_usd: number | null;
            /**
             * @description The address of the pool contract; for a pool known by 32 bytes, that of its manager.
             * @example 0x53b99890e68641374569fabd8f6a27334d041914
             */
            pool: string | null;
            /**
             * @description The address of the other side of a transfer; null for every other type.
             * @example 0x53b99890e68641374569fabd8f6a27334d041914
             */
            counterparty: string | null;
            /**
             * @description Whether a transfer went out of the wallet or came in; null for every other type.
             * @example in
             */
            transfer_direction: ("in" | "out") | components["schemas"]["LaterWord"] | null;
        };
        /** @description A page of a list of events. */
        WalletEventPage: {
            /** @description The events of this page; empty past the end. */
            data: components["schemas"]["WalletEvent"][];
            /**
             * @description How many events pass the parameters, on all pages.
             * @example 18
             */
            total: number;
            /**
             * @description The number of the page, from 1.
             * @example 1
             */
            page: number;
            /**
             * Format: int32
             * @description The largest number of items per page.
             * @example 50
             */
            limit: number;
        };
        /**
         * @description Whether a wallet still holds a token.
         * @example open
         * @enum {string}
         */
        PositionStatus: "open" | "closed" | "all";
        /**
         * @description The order of a wallet's positions. Equal ones are ordered by the token's address.
         * @example value_usd
         * @enum {string}
         */
        PositionOrder: "value_usd" | "realised_usd" | "last_at";
        /** @description A token that a wallet holds or held. */
        WalletPosition: {
            /**
             * @description The address of the token.
             * @example 0x53b99890e68641374569fabd8f6a27334d041914
             */
            token_address: string;
            /**
             * @description The symbol of the token from its contract: anyone can choose it.
             * @example EXODUS
             */
            token_symbol: string;
            /**
             * Format: double
             * @description The amount held, in whole tokens; null when the decimals are not known.
             * @example 2269255.3
             */
            quantity: number | null;
            /**
             * Format: double
             * @description The value of the holding in USD, at most the sum that the pools of the token could pay. Null when the token is not priced.
             * @example 1390.8
             */
            value_usd: number | null;
            /**
             * Format: double
             * @description The estimated proceeds of selling the whole holding at once, in USD and without fees. All pricing pools count as one constant-product pool of their depth, so a tenth of the pool brings less than its value. 0 while the newest contract check says that nobody can sell. Null when the token is not priced, or only by a launch curve.
             * @example 1390.8
             */
            sellable_usd: number | null;
            /**
             * @description Whether the token changes balances without Transfers. Then quantity and values are sums of Transfers, and the contract has others. Null when no contract check sampled balances.
             * @example true
             */
            rebasing: boolean | null;
            /**
             * Format: double
             * @description The cost of the part with a known cost, in USD.
             * @example 1390.8
             */
            cost_usd: number;
            /**
             * Format: double
             * @description The realised profit of its sales, in USD.
             * @example 1390.8
             */
            realised_usd: number;
            /**
             * Format: double
             * @description The unrealised profit in USD: the value minus the cost, of the part with a known cost. Null when the token is not priced.
             * @example 1390.8
             */
            open_usd: number | null;
            /**
             * Format: double
             * @description The money spent on it in total, in USD.
             * @example 1390.8
             */
            bought_usd: number;
            /**
             * Format: double
             * @description The proceeds of its sales in total, in USD.
             * @example 1390.8
             */
            sold_usd: number;
            /**
             * Format: int32
             * @description How many swaps of the token the wallet made.
             * @example 18
             */
            trade_count: number;
            /**
             * @description How the holding changed since the start of the day (UTC) 7 days ago.
             * @example accumulating
             */
            net_activity: components["schemas"]["NetActivity"] | components["schemas"]["LaterWord"];
            /**
             * Format: date-time
             * @description The time of the wallet's first event with the token.
             * @example 2025-11-08T08:53:20.000Z
             */
            first_at: string;
            /**
             * Format: date-time
             * @description The time at which the holding last changed.
             * @example 2025-11-08T08:53:20.000Z
             */
            last_at: string;
        };
        /** @description A page of a list of positions. */
        PositionPage: {
            /** @description The positions of this page; empty past the end. */
            data: components["schemas"]["WalletPosition"][];
            /**
             * @description How many positions there are in the whole list.
             * @example 18
             */
            total: number;
            /**
             * @description The number of the page, from 1.
             * @example 1
             */
            page: number;
            /**
             * Format: int32
             * @description The largest number of items per page.
             * @example 50
             */
            limit: number;
        };
        /** @description The shares of a pool that a wallet holds or held. */
        LiquidityPosition: {
            /**
             * @description The address of the pool contract; for a pool known by 32 bytes, that of its manager.
             * @example 0x53b99890e68641374569fabd8f6a27334d041914
             */
            pool_address: string | null;
            /**
             * @description The symbol from the contract. The deployer wrote it: never trust it.
             * @example EXODUS
             */
            base_symbol: string | null;
            /**
             * @description The symbol from the contract. The deployer wrote it: never trust it.
             * @example EXODUS
             */
            quote_symbol: string | null;
            /**
             * Format: double
             * @description The share of the pool in percent, including shares that a locker or gauge keeps for the wallet.
             * @example 12.5
             */
            share_pct: number;
            /**
             * Format: double
             * @description The value of the shares with a known cost, in USD.
             * @example 1390.8
             */
            value_usd: number;
            /**
             * Format: double
             * @description The cost of these shares, in USD.
             * @example 1390.8
             */
            cost_usd: number;
            /**
             * Format: double
             * @description The unrealised profit in USD: the value, less its part without a cost, less the cost.
             * @example 1390.8
             */
            open_usd: number;
            /**
             * Format: double
             * @description The profit in USD that removals of liquidity realised.
             * @example 1390.8
             */
            realised_usd: number;
            /**
             * @description Whether a locker or gauge keeps shares for the wallet.
             * @example true
             */
            is_locked: boolean;
        };
        /** @description An indexed wallet: an address that was the wallet or the counterparty of an event, has ever held an indexed token, or is a relayer. */
        WalletLiquidity: {
            /** @description The wallet's shares of pools, the most valuable first. With `positions` they add up to the open and realised profit of `pnl`. Refused if the wallets of a query have more than 200000 positions together. */
            data: components["schemas"]["LiquidityPosition"][];
        };
        /** @description Something that happened to an indexed token on the chain. */
        Event: {
            /**
             * @description The identifier: block number, index of the log in the block, and part of that log, such as 5661-12-0.
             * @example 5661-12-0
             */
            id: string;
            /**
             * @description What happened.
             * @example swap
             */
            type: components["schemas"]["EventType"] | components["schemas"]["LaterWord"];
            /**
             * @description The address of the wallet whose event it is (see `attribution`); of a transfer the sender.
             * @example 0x53b99890e68641374569fabd8f6a27334d041914
             */
            wallet_address: string;
            /**
             * @description The address of the token.
             * @example 0x53b99890e68641374569fabd8f6a27334d041914
             */
            token_address: string;
            /**
             * @description The symbol of the token from its contract: anyone can choose it.
             * @example EXODUS
             */
            token_symbol: string;
            /**
             * Format: double
             * @description The value in USD at that time.
             * @example 1390.8
             */
            amount_usd: number;
            /**
             * @description The side of a swap; null for every other type.
             * @example buy
             */
            direction: components["schemas"]["Direction"] | components["schemas"]["LaterWord"] | null;
            /**
             * Format: date-time
             * @description The time of the block.
             * @example 2025-11-08T08:53:20.000Z
             */
            timestamp: string;
            /**
             * @description The hash of the transaction: 0x and 64 hex digits.
             * @example 0x5ce2d520baf944ebd2ae18a21d9ef8ea3d5a5da33bd23c2fb484241edbb55224
             */
            tx_hash: string;
            /**
             * Format: double
             * @description The amount of the token, in whole tokens; null when the decimals are not known.
             * @example 2269255.3
             */
            quantity: number | null;
            /**
             * Format: double
             * @description The price of a whole token in this swap in USD: its value over its amount. Null for every other type, for a value under a cent, and for unknown decimals.
             * @example 0.0013
             */
            price_usd: number | null;
            /**
             * @description The address of the pool contract; for a pool known by 32 bytes, that of its manager.
             * @example 0x53b99890e68641374569fabd8f6a27334d041914
             */
            pool: string | null;
            /**
             * @description The address.
             * @example 0x53b99890e68641374569fabd8f6a27334d041914
             */
            counterparty: string | null;
        };
        /** @description A page of a list of events. */
        EventPage: {
            /** @description The events of this page; empty past the end. */
            data: components["schemas"]["Event"][];
            /**
             * @description How many events pass the parameters, on all pages.
             * @example 18
             */
            total: number;
            /**
             * @description The number of the page, from 1.
             * @example 1
             */
            page: number;
            /**
             * Format: int32
             * @description The largest number of items per page.
             * @example 50
             */
            limit: number;
        };
        /** @description The dimensions of a reputation. */
        WalletScoreDimensions: {
            /**
             * Format: double
             * @description The share of the closed positions that made a profit, 0-1; 0 without closed positions.
             * @example 0.86
             */
            win_rate: number;
            /**
             * Format: double
             * @description How often prices were above those of its buys during the following three days, 0-100; 50 before one of them is that old.
             * @example 60.91
             */
            entry_timing_score: number;
            /**
             * Format: double
             * @description The share of its weeks that ended with a profit, 0-100; 100 is all of them, 50 before the first with a result.
             * @example 60.91
             */
            consistency_score: number;
            /**
             * Format: double
             * @description How small its deepest loss was compared with its positions, 0-100; 100 is no loss, 50 before its first sale.
             * @example 60.91
             */
            risk_drawdown_score: number;
        };
        /** @description One summand of the composite. */
        ScoreContribution: {
            /**
             * @description The dimension that is added, by its `name`, which is text for the same reason.
             * @example liquidity
             */
            name: string;
            /**
             * Format: double
             * @description The value of the dimension in points, 0-100; null if unknown.
             * @example 62.77
             */
            value: number | null;
            /**
             * Format: double
             * @description The weight of the dimension.
             * @example 0.3
             */
            weight: number;
            /**
             * Format: double
             * @description The points that the dimension adds to the composite.
             * @example 12.4
             */
            contribution: number;
        };
        /** @description The reputation of a wallet: a weighted composite of its dimensions, not an average. */
        WalletScore: {
            /**
             * @description The address of the wallet.
             * @example 0x53b99890e68641374569fabd8f6a27334d041914
             */
            address: string;
            /**
             * Format: double
             * @description The reputation, 0-100; higher is better.
             * @example 60.91
             */
            reputation_score: number;
            /**
             * @description How much evidence the reputation is based on.
             * @example low
             */
            confidence: components["schemas"]["Confidence"] | components["schemas"]["LaterWord"];
            /**
             * @description The behaviour of the wallet; for another address, its kind.
             * @example smart_money
             */
            classification: components["schemas"]["Classification"] | components["schemas"]["LaterWord"];
            dimensions: components["schemas"]["WalletScoreDimensions"];
            /**
             * Format: int32
             * @description How many swaps the wallet made.
             * @example 18
             */
            trade_count: number;
            /**
             * Format: date-time
             * @description The time of the block of its computation.
             * @example 2025-11-08T08:53:20.000Z
             */
            updated_at: string;
            /** @description The summands of the composite, in the order in which they are added. */
            contributions: components["schemas"]["ScoreContribution"][] | null;
            /**
             * @description The names of the fields whose value is not known and stands for nothing; often empty.
             * @example [
             *       "market_cap_usd"
             *     ]
             */
            unknown: string[];
        };
        /** @description The dimensions of a risk score. */
        TokenScoreDimensions: {
            /**
             * Format: double
             * @description How concentrated the ownership is, 0-100; 100 is one holder, 60 for unknown balances.
             * @example 60.91
             */
            holder_concentration_score: number;
            /**
             * Format: double
             * @description How firmly the liquidity stays, 0-100; 100 cannot leave within 30 days, 40 if unknown.
             * @example 60.91
             */
            liquidity_stability_score: number;
            /**
             * Format: double
             * @description The share of wash trading in the volume, 0-100; 0 means that none was found, 60 without trades in the week or with unknown traders.
             * @example 60.91
             */
            wash_trade_score: number;
            /**
             * Format: double
             * @description The flow of wallets of high reputation, 0-100; 100 is a strong inflow, 50 is neutral or unknown.
             * @example 60.91
             */
            smart_money_flow_score: number;
        };
        /** @description A summary of the largest holders of a token. */
        TopHolderSummary: {
            /**
             * Format: int32
             * @description How many of the hundred largest holders are early buyers; 0 before the first score.
             * @example 18
             */
            early_mover_count: number;
            /**
             * @description How the holdings of these early buyers changed over the past 7 days; inactive without any.
             * @example accumulating
             */
            early_mover_net_activity: components["schemas"]["NetActivity"] | components["schemas"]["LaterWord"];
            /**
             * Format: double
             * @description The mean reputation of the ten largest holders that are accounts or contracts, 0-100. Pools, lockers, exchanges and burn addresses do not count. 50 before the first score.
             * @example 60.91
             */
            avg_reputation_top10: number;
        };
        /** @description The risk of a token: a published function of its dimensions, which `explanation` lists. The chain's stablecoins and its wrapped coin are not scored as launches: their risk is 10, and more if a flag applies. */
        TokenScore: {
            /**
             * @description The address of the token contract.
             * @example 0x53b99890e68641374569fabd8f6a27334d041914
             */
            address: string;
            /**
             * Format: double
             * @description The risk, 0-100; higher is riskier.
             * @example 30
             */
            risk_score: number;
            /**
             * @description The band of the risk score.
             * @example low
             */
            risk_level: components["schemas"]["RiskLevel"] | components["schemas"]["LaterWord"];
            /**
             * @description The risk flags that apply; often empty.
             * @example [
             *       "wash_trading"
             *     ]
             */
            flags: (components["schemas"]["RiskFlag"] | components["schemas"]["LaterWord"])[];
            dimensions: components["schemas"]["TokenScoreDimensions"];
            top_holder_summary: components["schemas"]["TopHolderSummary"];
            /**
             * Format: date-time
             * @description The time of the block of its computation.
             * @example 2025-11-08T08:53:20.000Z
             */
            updated_at: string;
            /**
             * @description How much evidence the score is based on; `explanation` has its gaps.
             * @example low
             */
            confidence: components["schemas"]["Confidence"] | components["schemas"]["LaterWord"];
            /**
             * Format: double
             * @description The score of a token without any known fact. With the points of all reasons it makes the score exactly. Null for a wallet.
             * @example 60.91
             */
            base: number | null;
            /** @description The reasons why the score differs from `base`, one fact each, dangers first. The last line sums the small ones. Empty for a wallet. */
            reasons: components["schemas"]["RiskReason"][] | null;
            /** @description The summands of the composite, in the order in which they are added. */
            contributions: components["schemas"]["ScoreContribution"][] | null;
            /**
             * @description The names of the fields whose value is not known and stands for nothing; often empty.
             * @example [
             *       "market_cap_usd"
             *     ]
             */
            unknown: string[];
        };
        /**
         * @description The plan of an account.
         * @example free
         * @enum {string}
         */
        Plan: "free" | "pro" | "api";
        /** @description The limits of an account. */
        Limits: {
            /**
             * Format: int32
             * @description Requests per minute; null when they are not limited.
             * @example 18
             */
            requests_per_minute: number | null;
            /**
             * Format: int32
             * @description Requests per UTC day; null when they are not limited.
             * @example 18
             */
            requests_per_day: number | null;
            /**
             * Format: int32
             * @description Active alerts of all keys together; null when they are not limited.
             * @example 18
             */
            active_alerts: number | null;
            /**
             * @description Whether alerts may go to a webhook or a chat.
             * @example true
             */
            webhooks: boolean;
            /**
             * Format: int32
             * @description How many streams may be open at the same time, over all keys.
             * @example 10
             */
            streams: number;
            /**
             * Format: int32
             * @description The number of saved policies of the gate that it may have.
             * @example 50
             */
            gate_policies: number;
        };
        /** @description The usage of a route on one day. */
        RouteUsage: {
            /**
             * @description Its method and path, such as GET /v1/tokens/{address}; other for paths that do not exist.
             * @example GET /v1/tokens/{address}
             */
            route: string;
            /**
             * Format: int32
             * @description How many requests were counted for it on that day.
             * @example 18
             */
            requests: number;
        };
        /** @description The usage of an account on one day. */
        UsageDay: {
            /**
             * @description The UTC day.
             * @example 2026-01-31
             */
            date: string;
            /**
             * Format: int32
             * @description How many requests were counted on that day.
             * @example 18
             */
            requests: number;
            /** @description The requests of each route on that day, the most first. */
            routes: components["schemas"]["RouteUsage"][];
        };
        /** @description A stream that is open. */
        OpenStream: {
            /**
             * Format: date-time
             * @description When it was opened.
             * @example 2025-11-08T08:53:20.000Z
             */
            opened_at: string;
            /**
             * @description The identifier of the API key that opened it.
             * @example 12
             */
            key_id: string;
            /**
             * @description The name of that key.
             * @example Dashboard
             */
            key_name: string;
        };
        /** @description The account behind your API key. */
        Me: {
            /**
             * @description The address of the alerts' mails.
             * @example you@example.com
             */
            email: string;
            /**
             * @description The plan of the account.
             * @example free
             */
            plan: components["schemas"]["Plan"] | components["schemas"]["LaterWord"];
            /**
             * Format: int32
             * @description How many active alerts the account has, over all its keys.
             * @example 18
             */
            active_alert_count: number;
            limits: components["schemas"]["Limits"];
            /** @description The requests of the newest UTC days, newest first; days without any are left out. */
            usage: components["schemas"]["UsageDay"][];
            /** @description The streams that are open, newest first; 20 at most. */
            open_streams: components["schemas"]["OpenStream"][];
        };
        /** @description An API key of your account that works. Its secret cannot be read again. */
        ApiKey: {
            /**
             * @description The identifier, which a rotation keeps.
             * @example 12
             */
            id: string;
            /**
             * @description The label that the owner chose.
             * @example Dashboard
             */
            name: string;
            /**
             * @description The first characters of its newest secret.
             * @example assay_live_Wq3v
             */
            prefix: string;
            /**
             * @description The last four characters of its newest secret.
             * @example 12ab
             */
            last_four: string;
            /**
             * Format: date-time
             * @description When it was made.
             * @example 2025-11-08T08:53:20.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it was last used, exact to a minute; null if it never was.
             * @example 2025-11-08T08:53:20.000Z
             */
            last_used_at: string | null;
            /**
             * Format: date-time
             * @description When it ends by itself, as the key of a sign-in does; null if it does not.
             * @example 2025-11-08T08:53:20.000Z
             */
            expires_at: string | null;
            /**
             * @description Whether it is the key of this request.
             * @example true
             */
            is_current: boolean;
        };
        /** @description A page of a list of API keys. */
        ApiKeyPage: {
            /** @description The API keys of this page; empty past the end. */
            data: components["schemas"]["ApiKey"][];
            /**
             * @description How many API keys there are in the whole list.
             * @example 18
             */
            total: number;
            /**
             * @description The number of the page, from 1.
             * @example 1
             */
            page: number;
            /**
             * Format: int32
             * @description The largest number of items per page.
             * @example 50
             */
            limit: number;
        };
        /** @description A new API key. */
        CreateApiKeyInput: {
            /**
             * @description A label of 1 to 100 characters without control characters.
             * @example Dashboard
             */
            name: string;
        };
        /** @description An API key of your account that works. Its secret cannot be read again. */
        NewApiKey: {
            /**
             * @description The identifier, which a rotation keeps.
             * @example 12
             */
            id: string;
            /**
             * @description The label that the owner chose.
             * @example Dashboard
             */
            name: string;
            /**
             * @description The first characters of its newest secret.
             * @example assay_live_Wq3v
             */
            prefix: string;
            /**
             * @description The last four characters of its newest secret.
             * @example 12ab
             */
            last_four: string;
            /**
             * Format: date-time
             * @description When it was made.
             * @example 2025-11-08T08:53:20.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it was last used, exact to a minute; null if it never was.
             * @example 2025-11-08T08:53:20.000Z
             */
            last_used_at: string | null;
            /**
             * Format: date-time
             * @description When it ends by itself, as the key of a sign-in does; null if it does not.
             * @example 2025-11-08T08:53:20.000Z
             */
            expires_at: string | null;
            /**
             * @description Whether it is the key of this request.
             * @example true
             */
            is_current: boolean;
            /**
             * @description The secret to send as API key. Only this answer shows it.
             * @example assay_live_Wq3vEjRWeJASNFZ4mrze8BI0VniavN7w12ab
             */
            key: string;
        };
        /** @description A change of an API key. */
        UpdateApiKeyInput: {
            /**
             * @description A label of 1 to 100 characters without control characters.
             * @example Dashboard
             */
            name: string;
        };
        /** @description A rotation of an API key. */
        RotateApiKeyInput: {
            /**
             * Format: int32
             * @description How many hours the old secret keeps working, from 0 to 168. With 0 it stops at once.
             * @default 24
             * @example 24
             */
            overlap_hours?: number;
        };
        /**
         * @description Whether an alert is active.
         * @example active
         * @enum {string}
         */
        AlertStatus: "active" | "paused";
        /** @description The conditions under which the alert fires for a token. A field that is null sets no condition. */
        AlertConditions: {
            /**
             * Format: double
             * @description The least liquidity in USD, 0 or more.
             * @example 1390.8
             */
            min_liquidity_usd?: number;
            /**
             * Format: double
             * @description The largest market cap in USD, 0 or more. A token with an unknown cap counts as 0 here; a least cap excludes it.
             * @example 1390.8
             */
            max_market_cap_usd?: number;
            /**
             * Format: double
             * @description The smallest market cap in USD, 0 or more.
             * @example 1390.8
             */
            min_market_cap_usd?: number;
            /**
             * Format: double
             * @description The highest risk score, 0-100.
             * @example 30
             */
            max_risk_score?: number;
            /**
             * Format: double
             * @description The lowest risk score, 0-100. A token has a danger from 50 on, where the level high begins.
             * @example 5
             */
            min_risk_score?: number;
            /**
             * @description Excludes tokens with any of these flags.
             * @example [
             *       "wash_trading"
             *     ]
             */
            exclude_flags?: (components["schemas"]["RiskFlag"] | components["schemas"]["LaterWord"])[];
            /**
             * @description Only tokens with at least one of these flags.
             * @example [
             *       "wash_trading"
             *     ]
             */
            include_flags?: (components["schemas"]["RiskFlag"] | components["schemas"]["LaterWord"])[];
            /**
             * Format: double
             * @description The least growth of the number of holders over the past hour in percent; may be negative.
             * @example 12.5
             */
            min_holder_growth_1h_pct?: number;
            /**
             * Format: double
             * @description The greatest age in hours, 0 or more.
             * @example 252
             */
            max_age_hours?: number;
            /**
             * Format: double
             * @description The least share of snipers in the supply, in percent, 0-100. A token whose share is unknown is left out.
             * @example 12.5
             */
            min_sniper_held_pct?: number;
            /**
             * Format: double
             * @description The largest share of snipers in the supply, in percent, 0-100. A token whose share is unknown is left out.
             * @example 12.5
             */
            max_sniper_held_pct?: number;
            /**
             * Format: double
             * @description The least share of bundled wallets in the supply, in percent, 0-100. A token whose share is unknown is left out.
             * @example 12.5
             */
            min_bundler_held_pct?: number;
            /**
             * Format: double
             * @description The largest share of bundled wallets in the supply, in percent, 0-100. A token whose share is unknown is left out.
             * @example 12.5
             */
            max_bundler_held_pct?: number;
            /**
             * Format: double
             * @description The least share of insiders in the supply, in percent, 0-100. A token whose share is unknown is left out.
             * @example 12.5
             */
            min_insider_held_pct?: number;
            /**
             * Format: double
             * @description The largest share of insiders in the supply, in percent, 0-100. A token whose share is unknown is left out.
             * @example 12.5
             */
            max_insider_held_pct?: number;
            /**
             * Format: double
             * @description The least share of the developer in the supply, in percent, 0-100. A token whose share is unknown is left out.
             * @example 12.5
             */
            min_developer_held_pct?: number;
            /**
             * Format: double
             * @description The largest share of the developer in the supply, in percent, 0-100. A token whose share is unknown is left out.
             * @example 12.5
             */
            max_developer_held_pct?: number;
            /**
             * Format: double
             * @description The least share of fresh wallets in the supply, in percent, 0-100. A token whose share is unknown is left out.
             * @example 12.5
             */
            min_fresh_held_pct?: number;
            /**
             * Format: double
             * @description The largest share of fresh wallets in the supply, in percent, 0-100. A token whose share is unknown is left out.
             * @example 12.5
             */
            max_fresh_held_pct?: number;
            /**
             * @description Whether a sale of it was tried.
             * @example true
             */
            contract_checked?: boolean;
            /**
             * @description Whether it could be sold when it was last tried. A token that was not tried passes neither.
             * @example true
             */
            sellable?: boolean;
            /**
             * Format: double
             * @description The least tax of a sale in percent, 0-100, by trial or by real sales, whichever is more.
             * @example 12.5
             */
            min_sell_tax_pct?: number;
            /**
             * Format: double
             * @description The largest tax of a sale in percent, 0-100. A token whose tax is not known is left out.
             * @example 12.5
             */
            max_sell_tax_pct?: number;
            /**
             * @description Excludes tokens with one of these powers over their holders, and tokens whose code was not analysed.
             * @example [
             *       "stop_sales"
             *     ]
             */
            exclude_powers?: (components["schemas"]["PowerKind"] | components["schemas"]["LaterWord"])[];
            /**
             * @description Only tokens with at least one of these powers over their holders.
             * @example [
             *       "stop_sales"
             *     ]
             */
            include_powers?: (components["schemas"]["PowerKind"] | components["schemas"]["LaterWord"])[];
            /**
             * @description Whether its owner changed in the day before the newest check. A token whose code was not looked into passes neither.
             * @example true
             */
            owner_changed?: boolean;
            /**
             * @description Only these tokens, by their addresses, 20 at most.
             * @example [
             *       "0x53b99890e68641374569fabd8f6a27334d041914"
             *     ]
             */
            tokens?: string[];
            /**
             * @description Only a token that one of these wallets just bought, 20 at most. Alerts alone take it.
             * @example [
             *       "0x53b99890e68641374569fabd8f6a27334d041914"
             *     ]
             */
            bought_by?: string[];
            /**
             * @description Only a token that one of these wallets just sold, 20 at most. Alerts alone take it.
             * @example [
             *       "0x53b99890e68641374569fabd8f6a27334d041914"
             *     ]
             */
            sold_by?: string[];
            /**
             * @description Only a token that one of these wallets just bought or sold, 20 at most. Alerts alone take it.
             * @example [
             *       "0x53b99890e68641374569fabd8f6a27334d041914"
             *     ]
             */
            traded_by?: string[];
            /**
             * Format: double
             * @description Only what a named wallet trades for at least this, in USD. It needs a condition that names wallets.
             * @example 1390.8
             */
            min_amount_usd?: number;
            /**
             * Format: double
             * @description Only what a named wallet trades for at most this, in USD. It needs a condition that names wallets.
             * @example 1390.8
             */
            max_amount_usd?: number;
            /**
             * @description Also tells which share of its position a wallet that bought sells or moves away, of tokens that this alert reported. It needs wallets that buy.
             * @example true
             */
            mirror_sales?: boolean;
            /**
             * @description Mirrors also sales of tokens that this alert did not report. It needs mirrored sales.
             * @example true
             */
            mirror_unreported?: boolean;
        };
        /**
         * @description How messages reach the owner of an alert.
         * @example email
         * @enum {string}
         */
        NotificationChannel: "email" | "webhook" | "slack" | "discord" | "telegram";
        /** @description A saved token filter that sends a message when a token begins to match. */
        Alert: {
            /**
             * Format: uuid
             * @description The identifier that the service assigned.
             * @example 5eb5f7f0-7612-408f-bc91-3f34a3c9f0ac
             */
            id: string;
            /**
             * @description The label that the owner of the alert chose.
             * @example Deep and clean
             */
            name: string;
            /**
             * @description Whether the alert is active or paused.
             * @example active
             */
            status: components["schemas"]["AlertStatus"] | components["schemas"]["LaterWord"];
            conditions: components["schemas"]["AlertConditions"];
            /**
             * @description How messages reach the owner of the alert.
             * @example email
             */
            notification_channel: components["schemas"]["NotificationChannel"] | components["schemas"]["LaterWord"];
            /**
             * @description The URL of the webhook. The URL of a chat is a secret, of which this is the host and the last four characters. Null for the channel email.
             * @example https://example.com/hooks/assay
             */
            url?: string;
            /**
             * Format: date-time
             * @description When the alert was created.
             * @example 2025-11-08T08:53:20.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When the alert last fired; null if it never did.
             * @example 2025-11-08T08:53:20.000Z
             */
            last_triggered_at: string | null;
        };
        /** @description A page of a list of alerts. */
        AlertPage: {
            /** @description The alerts of this page; empty past the end. */
            data: components["schemas"]["Alert"][];
            /**
             * @description How many alerts there are in the whole list.
             * @example 18
             */
            total: number;
            /**
             * @description The number of the page, from 1.
             * @example 1
             */
            page: number;
            /**
             * Format: int32
             * @description The largest number of items per page.
             * @example 50
             */
            limit: number;
        };
        /** @description The conditions for tokens. A field that is left out or null sets no condition. All bounds are inclusive. An alert takes only the fields of GET /tokens, flags that a token must have, and the conditions on contract checks. */
        TokenFilter: {
            /**
             * Format: double
             * @description The least liquidity in USD, 0 or more.
             * @example 1390.8
             */
            min_liquidity_usd?: number;
            /**
             * Format: double
             * @description The largest market cap in USD, 0 or more. A token with an unknown cap counts as 0 here; a least cap excludes it.
             * @example 1390.8
             */
            max_market_cap_usd?: number;
            /**
             * Format: double
             * @description The smallest market cap in USD, 0 or more.
             * @example 1390.8
             */
            min_market_cap_usd?: number;
            /**
             * Format: double
             * @description The highest risk score, 0-100.
             * @example 30
             */
            max_risk_score?: number;
            /**
             * Format: double
             * @description The lowest risk score, 0-100. A token has a danger from 50 on, where the level high begins.
             * @example 5
             */
            min_risk_score?: number;
            /**
             * @description Excludes tokens with any of these flags.
             * @example [
             *       "wash_trading"
             *     ]
             */
            exclude_flags?: components["schemas"]["RiskFlag"][];
            /**
             * @description Only tokens with at least one of these flags.
             * @example [
             *       "wash_trading"
             *     ]
             */
            include_flags?: components["schemas"]["RiskFlag"][];
            /**
             * Format: double
             * @description The least growth of the number of holders over the past hour in percent; may be negative.
             * @example 12.5
             */
            min_holder_growth_1h_pct?: number;
            /**
             * Format: double
             * @description The greatest age in hours, 0 or more.
             * @example 252
             */
            max_age_hours?: number;
            /**
             * Format: double
             * @description The least share of snipers in the supply, in percent, 0-100. A token whose share is unknown is left out.
             * @example 12.5
             */
            min_sniper_held_pct?: number;
            /**
             * Format: double
             * @description The largest share of snipers in the supply, in percent, 0-100. A token whose share is unknown is left out.
             * @example 12.5
             */
            max_sniper_held_pct?: number;
            /**
             * Format: double
             * @description The least share of bundled wallets in the supply, in percent, 0-100. A token whose share is unknown is left out.
             * @example 12.5
             */
            min_bundler_held_pct?: number;
            /**
             * Format: double
             * @description The largest share of bundled wallets in the supply, in percent, 0-100. A token whose share is unknown is left out.
             * @example 12.5
             */
            max_bundler_held_pct?: number;
            /**
             * Format: double
             * @description The least share of insiders in the supply, in percent, 0-100. A token whose share is unknown is left out.
             * @example 12.5
             */
            min_insider_held_pct?: number;
            /**
             * Format: double
             * @description The largest share of insiders in the supply, in percent, 0-100. A token whose share is unknown is left out.
             * @example 12.5
             */
            max_insider_held_pct?: number;
            /**
             * Format: double
             * @description The least share of the developer in the supply, in percent, 0-100. A token whose share is unknown is left out.
             * @example 12.5
             */
            min_developer_held_pct?: number;
            /**
             * Format: double
             * @description The largest share of the developer in the supply, in percent, 0-100. A token whose share is unknown is left out.
             * @example 12.5
             */
            max_developer_held_pct?: number;
            /**
             * Format: double
             * @description The least share of fresh wallets in the supply, in percent, 0-100. A token whose share is unknown is left out.
             * @example 12.5
             */
            min_fresh_held_pct?: number;
            /**
             * Format: double
             * @description The largest share of fresh wallets in the supply, in percent, 0-100. A token whose share is unknown is left out.
             * @example 12.5
             */
            max_fresh_held_pct?: number;
            /**
             * @description Whether a sale of it was tried.
             * @example true
             */
            contract_checked?: boolean;
            /**
             * @description Whether it could be sold when it was last tried. A token that was not tried passes neither.
             * @example true
             */
            sellable?: boolean;
            /**
             * Format: double
             * @description The least tax of a sale in percent, 0-100, by trial or by real sales, whichever is more.
             * @example 12.5
             */
            min_sell_tax_pct?: number;
            /**
             * Format: double
             * @description The largest tax of a sale in percent, 0-100. A token whose tax is not known is left out.
             * @example 12.5
             */
            max_sell_tax_pct?: number;
            /**
             * @description Excludes tokens with one of these powers over their holders, and tokens whose code was not analysed.
             * @example [
             *       "stop_sales"
             *     ]
             */
            exclude_powers?: components["schemas"]["PowerKind"][];
            /**
             * @description Only tokens with at least one of these powers over their holders.
             * @example [
             *       "stop_sales"
             *     ]
             */
            include_powers?: components["schemas"]["PowerKind"][];
            /**
             * @description Whether its owner changed in the day before the newest check. A token whose code was not looked into passes neither.
             * @example true
             */
            owner_changed?: boolean;
            /**
             * @description Only these tokens, by their addresses, 20 at most.
             * @example [
             *       "0x53b99890e68641374569fabd8f6a27334d041914"
             *     ]
             */
            tokens?: string[];
            /**
             * @description Only a token that one of these wallets just bought, 20 at most. Alerts alone take it.
             * @example [
             *       "0x53b99890e68641374569fabd8f6a27334d041914"
             *     ]
             */
            bought_by?: string[];
            /**
             * @description Only a token that one of these wallets just sold, 20 at most. Alerts alone take it.
             * @example [
             *       "0x53b99890e68641374569fabd8f6a27334d041914"
             *     ]
             */
            sold_by?: string[];
            /**
             * @description Only a token that one of these wallets just bought or sold, 20 at most. Alerts alone take it.
             * @example [
             *       "0x53b99890e68641374569fabd8f6a27334d041914"
             *     ]
             */
            traded_by?: string[];
            /**
             * Format: double
             * @description Only what a named wallet trades for at least this, in USD. It needs a condition that names wallets.
             * @example 1390.8
             */
            min_amount_usd?: number;
            /**
             * Format: double
             * @description Only what a named wallet trades for at most this, in USD. It needs a condition that names wallets.
             * @example 1390.8
             */
            max_amount_usd?: number;
            /**
             * @description Also tells which share of its position a wallet that bought sells or moves away, of tokens that this alert reported. It needs wallets that buy.
             * @example true
             */
            mirror_sales?: boolean;
            /**
             * @description Mirrors also sales of tokens that this alert did not report. It needs mirrored sales.
             * @example true
             */
            mirror_unreported?: boolean;
        };
        /** @description A new alert. */
        CreateAlertInput: {
            /**
             * @description A label of 1 to 100 characters without control characters.
             * @example Deep and clean
             */
            name: string;
            conditions: components["schemas"]["TokenFilter"];
            /**
             * @description How messages reach the owner of the alert.
             * @default email
             * @example email
             */
            notification_channel?: components["schemas"]["NotificationChannel"];
            /**
             * @description The receiver. Of a webhook: https on the public internet. Of a chat: the URL that its service gives for messages. Left out for email.
             * @example https://example.com/hooks/assay
             */
            url?: string;
        };
        /** @description A saved token filter that sends a message when a token begins to match. */
        NewAlert: {
            /**
             * Format: uuid
             * @description The identifier that the service assigned.
             * @example 5eb5f7f0-7612-408f-bc91-3f34a3c9f0ac
             */
            id: string;
            /**
             * @description The label that the owner of the alert chose.
             * @example Deep and clean
             */
            name: string;
            /**
             * @description Whether the alert is active or paused.
             * @example active
             */
            status: components["schemas"]["AlertStatus"] | components["schemas"]["LaterWord"];
            conditions: components["schemas"]["AlertConditions"];
            /**
             * @description How messages reach the owner of the alert.
             * @example email
             */
            notification_channel: components["schemas"]["NotificationChannel"] | components["schemas"]["LaterWord"];
            /**
             * @description The URL of the webhook. The URL of a chat is a secret, of which this is the host and the last four characters. Null for the channel email.
             * @example https://example.com/hooks/assay
             */
            url?: string;
            /**
             * Format: date-time
             * @description When the alert was created.
             * @example 2025-11-08T08:53:20.000Z
             */
            created_at: string;
            /**
             * @description The secret that signs the messages of its webhook, shown only in this answer; left out without a webhook.
             * @example whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw
             */
            secret?: string;
        };
        /** @description What to look for in the past month. */
        BacktestInput: {
            conditions: components["schemas"]["TokenFilter"];
            /**
             * @description The beginning; 30 days before the newest block if left out, which is also the earliest.
             * @example 2025-11-08T08:53:20.000Z
             */
            from?: string;
            /**
             * @description The end; the time of the newest block if left out.
             * @example 2025-11-08T08:53:20.000Z
             */
            to?: string;
        };
        /** @description A token that would have begun to match, and its outcome. */
        BacktestMatch: {
            /**
             * @description The address of the token contract.
             * @example 0x53b99890e68641374569fabd8f6a27334d041914
             */
            token_address: string;
            /**
             * @description The symbol from the contract: anyone can choose it.
             * @example EXODUS
             */
            token_symbol: string;
            /**
             * @description The name from the contract: anyone can choose it.
             * @example Exodus
             */
            token_name: string;
            /**
             * Format: int32
             * @description The block in which it began to match.
             * @example 5661
             */
            block_number: number;
            /**
             * Format: date-time
             * @description The time of that block.
             * @example 2025-11-08T08:53:20.000Z
             */
            matched_at: string;
            /**
             * @description Whether an alert would have fired at this block. Otherwise the block ends a day of the first indexing, in which the token began to match.
             * @example true
             */
            exact: boolean;
            /**
             * Format: double
             * @description The price in USD at that block; null when it was not priced.
             * @example 0.0013
             */
            price_usd: number | null;
            /**
             * Format: double
             * @description The price in USD an hour later; null if that time has not come, or if it had no price then.
             * @example 1390.8
             */
            price_after_1h_usd: number | null;
            /**
             * Format: double
             * @description The price in USD a day later; null if that time has not come, or if it had no price then.
             * @example 1390.8
             */
            price_after_24h_usd: number | null;
            /**
             * Format: double
             * @description The price in USD seven days later; null if that time has not come, or if it had no price then.
             * @example 1390.8
             */
            price_after_7d_usd: number | null;
            /**
             * Format: double
             * @description The change of the price in the day after, in percent; null if one of the prices is unknown.
             * @example 12.5
             */
            change_after_24h_pct: number | null;
            /**
             * Format: double
             * @description The deepest fall of the price in the seven days after, in percent: 0 or less. It covers the days that are over; null if unknown.
             * @example 12.5
             */
            worst_fall_pct: number | null;
            /**
             * @description Whether its liquidity is pulled by now.
             * @example true
             */
            pulled: boolean;
            /**
             * @description Whether holders can sell it, by the newest check of its contract; null if unknown.
             * @example true
             */
            sellable: boolean | null;
        };
        /** @description The matches that an alert would have had in a past period. */
        Backtest: {
            /**
             * Format: date-time
             * @description The beginning of the period.
             * @example 2025-11-08T08:53:20.000Z
             */
            from: string;
            /**
             * Format: date-time
             * @description The end of the period.
             * @example 2025-11-08T08:53:20.000Z
             */
            to: string;
            /**
             * Format: date-time
             * @description The time from which the values of tokens are kept; null when there are none yet. No earlier match is found.
             * @example 2025-11-08T08:53:20.000Z
             */
            kept_since: string | null;
            /**
             * Format: date-time
             * @description The time from which alerts were matched at each block; null when never in this period. Before it, only the end of each day is known.
             * @example 2025-11-08T08:53:20.000Z
             */
            exact_since: string | null;
            /**
             * @description The conclusion in one sentence.
             * @example 41 matches, 5 pulled, median +4.0 % after a day (38 with a price).
             */
            summary: string;
            /**
             * Format: int32
             * @description How many times a token would have begun to match.
             * @example 18
             */
            match_count: number;
            /**
             * Format: int32
             * @description How many of them were followed, the newest ones, 2000 at most: all other numbers are of these.
             * @example 18
             */
            followed_count: number;
            /**
             * Format: int32
             * @description How many of these tokens were pulled by now.
             * @example 18
             */
            pulled_count: number;
            /**
             * Format: int32
             * @description How many of these tokens cannot be sold, by the newest checks.
             * @example 18
             */
            unsellable_count: number;
            /**
             * Format: int32
             * @description How many had a price at first and a day later.
             * @example 18
             */
            priced_after_24h_count: number;
            /**
             * Format: int32
             * @description How many had a price at first and none a day later.
             * @example 18
             */
            unpriced_after_24h_count: number;
            /**
             * Format: double
             * @description The median change of the price in the day after, in percent, of the known ones; null if none is known.
             * @example 12.5
             */
            median_change_after_24h_pct: number | null;
            /**
             * Format: double
             * @description The median of the deepest falls in percent, of the known ones; null if none is known.
             * @example 12.5
             */
            median_worst_fall_pct: number | null;
            /** @description The matches, the newest first. */
            matches: components["schemas"]["BacktestMatch"][];
        };
        /** @description Changes of an alert. A field that is left out or null stays as it is. */
        UpdateAlertInput: {
            /**
             * @description A label of 1 to 100 characters without control characters.
             * @example Deep and clean
             */
            name?: string;
            conditions?: components["schemas"]["TokenFilter"];
            /**
             * @description Whether the alert is active or paused. The plan limits how many alerts are active.
             * @example active
             */
            status?: components["schemas"]["AlertStatus"];
            /**
             * @description The receiver. Of a webhook: https on the public internet. Of a chat: the URL that its service gives for messages. Left out for email.
             * @example https://example.com/hooks/assay
             */
            url?: string;
        };
        /** @description A saved token filter that sends a message when a token begins to match. */
        AlertWithSecret: {
            /**
             * Format: uuid
             * @description The identifier that the service assigned.
             * @example 5eb5f7f0-7612-408f-bc91-3f34a3c9f0ac
             */
            id: string;
            /**
             * @description The label that the owner of the alert chose.
             * @example Deep and clean
             */
            name: string;
            /**
             * @description Whether the alert is active or paused.
             * @example active
             */
            status: components["schemas"]["AlertStatus"] | components["schemas"]["LaterWord"];
            conditions: components["schemas"]["AlertConditions"];
            /**
             * @description How messages reach the owner of the alert.
             * @example email
             */
            notification_channel: components["schemas"]["NotificationChannel"] | components["schemas"]["LaterWord"];
            /**
             * @description The URL of the webhook. The URL of a chat is a secret, of which this is the host and the last four characters. Null for the channel email.
             * @example https://example.com/hooks/assay
             */
            url?: string;
            /**
             * Format: date-time
             * @description When the alert was created.
             * @example 2025-11-08T08:53:20.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When the alert last fired; null if it never did.
             * @example 2025-11-08T08:53:20.000Z
             */
            last_triggered_at: string | null;
            /**
             * @description The secret that signs the messages of its webhook, shown only in this answer; left out without a webhook.
             * @example whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw
             */
            secret?: string;
        };
        /** @description What became of the test message of an alert. */
        AlertTestPayload: {
            /**
             * @description Whether the receiver took the message.
             * @example true
             */
            delivered: boolean;
            /**
             * @description What the receiver answered, in a sentence.
             * @example The webhook took the message (200).
             */
            response: string;
        };
        /**
         * @description The bounds of a policy.
         * @example standard
         * @enum {string}
         */
        GateBounds: "standard" | "strict";
        /** @description A saved policy of the gate. The keys of an account share it. */
        GatePolicy: {
            /**
             * @description Its name, which `gate` takes.
             * @example careful
             */
            name: string;
            /**
             * @description Its bounds.
             * @example standard
             */
            bounds: components["schemas"]["GateBounds"] | components["schemas"]["LaterWord"];
            /**
             * @description What findings lead to, in the form of the argument `rules` of `gate`.
             * @example risk_score@70:block
             */
            rules: string;
            conditions: components["schemas"]["AlertConditions"];
            /**
             * Format: date-time
             * @description When it was made.
             * @example 2025-11-08T08:53:20.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it was last changed.
             * @example 2025-11-08T08:53:20.000Z
             */
            updated_at: string;
        };
        /** @description A page of a list of policies. */
        GatePolicyPage: {
            /** @description The policies of this page; empty past the end. */
            data: components["schemas"]["GatePolicy"][];
            /**
             * @description How many policies there are in the whole list.
             * @example 18
             */
            total: number;
            /**
             * @description The number of the page, from 1.
             * @example 1
             */
            page: number;
            /**
             * Format: int32
             * @description The largest number of items per page.
             * @example 50
             */
            limit: number;
        };
        /** @description A new policy of the gate. */
        CreateGatePolicyInput: {
            /**
             * @description Its name: 1 to 40 characters of a-z, 0-9, _ and -.
             * @example careful
             */
            name: string;
            /**
             * @description Its bounds; standard if a new one has none.
             * @example standard
             */
            bounds?: components["schemas"]["GateBounds"];
            /**
             * @description What findings lead to, in the form of the argument `rules` of `gate`. An empty text has none.
             * @example risk_score@70:block
             */
            rules?: string;
            conditions?: components["schemas"]["TokenFilter"];
        };
        /** @description Changes of a policy of the gate. A field that is left out or null stays as it is. */
        UpdateGatePolicyInput: {
            /**
             * @description Its bounds; standard if a new one has none.
             * @example standard
             */
            bounds?: components["schemas"]["GateBounds"];
            /**
             * @description What findings lead to, in the form of the argument `rules` of `gate`. An empty text has none.
             * @example risk_score@70:block
             */
            rules?: string;
            conditions?: components["schemas"]["TokenFilter"];
        };
        /** @description A question about the views. */
        SqlInput: {
            /**
             * @description The SELECT, of 10000 characters at most.
             * @example SELECT token_symbol, count(*) AS swaps FROM events GROUP BY ALL
             */
            query: string;
        };
        /** @description The block that an answer to SQL reflects. */
        SqlBlock: {
            /**
             * Format: int32
             * @description The number of the block.
             * @example 5661
             */
            block_number: number;
            /**
             * Format: date-time
             * @description The time of the block.
             * @example 2025-11-08T08:53:20.000Z
             */
            timestamp: string;
        };
        /** @description A column of an answer to SQL. */
        SqlColumn: {
            /**
             * @description Its name, as the fields of the rows have it.
             * @example token_symbol
             */
            name: string;
            /**
             * @description Its type in DuckDB.
             * @example VARCHAR
             */
            type: string;
        };
        /** @description A view that lacks older rows. */
        PartialView: {
            /**
             * @description The name of the view.
             * @example candles
             */
            view: string;
            /**
             * Format: date-time
             * @description The time of its first row.
             * @example 2025-11-08T08:53:20.000Z
             */
            since: string;
        };
        /** @description The answer to SQL. */
        SqlAnswer: {
            as_of: components["schemas"]["SqlBlock"];
            /** @description The columns, in their order. */
            columns: components["schemas"]["SqlColumn"][];
            /**
             * Format: int32
             * @description How many rows the answer has.
             * @example 18
             */
            row_count: number;
            /**
             * @description Whether further rows were left out.
             * @example true
             */
            truncated: boolean;
            /** @description The views that lack older rows; mostly empty. */
            partial: components["schemas"]["PartialView"][];
            /**
             * @description The rows, with a field for each column.
             * @example [
             *       {
             *         "token_symbol": "WETH",
             *         "swaps": 1206
             *       }
             *     ]
             */
            data: Record<string, never>[];
        };
        /** @description A message of the stream: an event, or the retraction of one whose block was rolled back. */
        StreamedEvent: {
            /**
             * @description The identifier: block number, index of the log in the block, and part of that log, such as 5661-12-0.
             * @example 5661-12-0
             */
            id: string;
            /**
             * @description What happened.
             * @example swap
             */
            type: components["schemas"]["EventType"] | components["schemas"]["LaterWord"];
            /**
             * @description The address of the wallet whose event it is (see `attribution`); of a transfer the sender.
             * @example 0x53b99890e68641374569fabd8f6a27334d041914
             */
            wallet_address: string;
            /**
             * @description The address of the token.
             * @example 0x53b99890e68641374569fabd8f6a27334d041914
             */
            token_address: string;
            /**
             * @description The symbol of the token from its contract: anyone can choose it.
             * @example EXODUS
             */
            token_symbol: string;
            /**
             * Format: double
             * @description The value in USD at that time.
             * @example 1390.8
             */
            amount_usd: number;
            /**
             * @description The side of a swap; null for every other type.
             * @example buy
             */
            direction: components["schemas"]["Direction"] | components["schemas"]["LaterWord"] | null;
            /**
             * Format: date-time
             * @description The time of the block.
             * @example 2025-11-08T08:53:20.000Z
             */
            timestamp: string;
            /**
             * @description The hash of the transaction: 0x and 64 hex digits.
             * @example 0x5ce2d520baf944ebd2ae18a21d9ef8ea3d5a5da33bd23c2fb484241edbb55224
             */
            tx_hash: string;
            /**
             * Format: double
             * @description The amount of the token, in whole tokens; null when the decimals are not known.
             * @example 2269255.3
             */
            quantity: number | null;
            /**
             * Format: double
             * @description The price of a whole token in this swap in USD: its value over its amount. Null for every other type, for a value under a cent, and for unknown decimals.
             * @example 0.0013
             */
            price_usd: number | null;
            /**
             * @description The address of the pool contract; for a pool known by 32 bytes, that of its manager.
             * @example 0x53b99890e68641374569fabd8f6a27334d041914
             */
            pool: string | null;
            /**
             * @description The address.
             * @example 0x53b99890e68641374569fabd8f6a27334d041914
             */
            counterparty: string | null;
            /**
             * @description Whether the event is retracted: its block is no longer part of the chain.
             * @example false
             */
            retracted: boolean;
        };
        /** @description A ticket that opens one stream. */
        StreamTicket: {
            /**
             * @description The ticket. It is shown only here.
             * @example assay_ticket_Wq3vEjRWeJASNFZ4mrze8BI0VniavN7w12ab
             */
            ticket: string;
            /**
             * Format: date-time
             * @description The time until which it opens a stream, a minute from now.
             * @example 2025-11-08T08:54:20.000Z
             */
            expires_at: string;
        };
        /** @description The last message of a stream, of the type `end`. */
        StreamEnd: {
            /**
             * @description The reason of the end; treat an unknown word as `failed`.
             * @example leaving
             */
            reason: ("done" | "leaving" | "slow" | "replaced" | "unauthorized" | "rate_limited" | "reset" | "failed") | components["schemas"]["LaterWord"];
            /**
             * @description A sentence for people.
             * @example The server is about to stop: connect again.
             */
            message: string;
            /**
             * @description The place to continue from in a later stream; null when there is none.
             * @example 5661-12-0.3
             */
            resume: string | null;
        };
        /** @description A token that began to match, with its values at that block. */
        MatchedToken: {
            /**
             * @description The address of the token contract.
             * @example 0x53b99890e68641374569fabd8f6a27334d041914
             */
            address: string;
            /**
             * @description The name from the contract. The deployer wrote it: never trust it.
             * @example Exodus
             */
            name: string;
            /**
             * @description The symbol from the contract. The deployer wrote it: never trust it.
             * @example EXODUS
             */
            symbol: string;
            /**
             * Format: date-time
             * @description The time of the block in which it began to match.
             * @example 2025-11-08T08:53:20.000Z
             */
            matched_at: string;
            /**
             * @description Whether it matched already when the alert was created or changed.
             * @example false
             */
            initial: boolean;
            /**
             * @description The conditions that it began to meet; none for a new token.
             * @example [
             *       "max_risk_score"
             *     ]
             */
            began: (("min_liquidity_usd" | "max_market_cap_usd" | "min_market_cap_usd" | "max_risk_score" | "min_risk_score" | "exclude_flags" | "include_flags" | "min_holder_growth_1h_pct" | "max_age_hours" | "min_sniper_held_pct" | "max_sniper_held_pct" | "min_bundler_held_pct" | "max_bundler_held_pct" | "min_insider_held_pct" | "max_insider_held_pct" | "min_developer_held_pct" | "max_developer_held_pct" | "min_fresh_held_pct" | "max_fresh_held_pct" | "contract_checked" | "sellable" | "min_sell_tax_pct" | "max_sell_tax_pct" | "exclude_powers" | "include_powers" | "owner_changed" | "tokens" | "bought_by" | "sold_by" | "traded_by" | "min_amount_usd" | "max_amount_usd" | "mirror_sales" | "mirror_unreported") | components["schemas"]["LaterWord"])[];
            /**
             * Format: double
             * @description The risk, 0-100; higher is riskier.
             * @example 30
             */
            risk_score: number;
            /**
             * @description The risk flags that apply; often none.
             * @example [
             *       "wash_trading"
             *     ]
             */
            risk_flags: (components["schemas"]["RiskFlag"] | components["schemas"]["LaterWord"])[];
            /**
             * Format: double
             * @description The value of both sides of its pools in USD. Of a quote token: of all its pools.
             * @example 1390.8
             */
            liquidity_usd: number;
            /**
             * Format: double
             * @description The market cap in USD: the price times the supply in circulation (without burned tokens and those of known lockers). The price is at the block of the answer. 0 when it is not priced.
             * @example 1390.8
             */
            market_cap_usd: number;
            /**
             * Format: double
             * @description The change of its number of holders over the past hour, in percent.
             * @example 1.2
             */
            holder_growth_1h_pct: number;
            /**
             * @description What snipers of its launch hold of the supply at its newest score, in percent; null where unknown.
             * @example 12.5
             */
            sniper_held_pct: number | null;
            /**
             * @description What bundled wallets of its launch hold of the supply at its newest score, in percent; null where unknown.
             * @example 12.5
             */
            bundler_held_pct: number | null;
            /**
             * @description What wallets linked to its maker hold of the supply at its newest score, in percent; null where unknown.
             * @example 12.5
             */
            insider_held_pct: number | null;
            /**
             * @description What its developer holds of the supply at its newest score, in percent; null where unknown.
             * @example 12.5
             */
            developer_held_pct: number | null;
            /**
             * @description What fresh wallets of its launch hold of the supply at its newest score, in percent; null where unknown.
             * @example 12.5
             */
            fresh_held_pct: number | null;
            /**
             * Format: double
             * @description Hours from the first log of the token to the block. An old contract may get its first pool long after its first log.
             * @example 252
             */
            age_hours: number;
            /**
             * @description Whether it can be sold; null where no check has told.
             * @example true
             */
            sellable: boolean | null;
            /**
             * Format: double
             * @description The tax of a sale; null where it is unknown.
             * @example 5
             */
            sell_tax_pct: number | null;
            /**
             * @description The powers over its holders; null where its code was not analysed.
             * @example [
             *       "stop_sales"
             *     ]
             */
            powers: (components["schemas"]["PowerKind"] | components["schemas"]["LaterWord"])[] | null;
            /**
             * @description What the wallets that the alert names bought or sold of it; none if it names no wallets.
             * @example []
             */
            trades: {
                /**
                 * @description The address of the wallet whose event it is (see `attribution`); of a transfer the sender.
                 * @example 0x53b99890e68641374569fabd8f6a27334d041914
                 */
                wallet_address: string;
                /**
                 * @description Whether it bought or sold.
                 * @example buy
                 */
                direction: components["schemas"]["Direction"] | components["schemas"]["LaterWord"];
                /**
                 * Format: double
                 * @description For how much in all; null where it is unknown.
                 * @example 1390.8
                 */
                amount_usd: number | null;
            }[];
            /**
             * @description The verdict in one sentence; null before its first score.
             * @example One wallet can take 97 % of the liquidity at any time.
             */
            headline: string | null;
            /**
             * @description The main reasons of its risk, dangers first; null before its first score.
             * @example [
             *       "Its liquidity cannot leave within 30 days"
             *     ]
             */
            reasons: string[] | null;
        };
        /** @description What a wallet sold or moved away of a token in one block, for whoever mirrors its sales. */
        WalletExit: {
            /**
             * @description The address of the token.
             * @example 0x53b99890e68641374569fabd8f6a27334d041914
             */
            token_address: string;
            /**
             * @description The symbol of the token from its contract: anyone can choose it.
             * @example EXODUS
             */
            token_symbol: string;
            /**
             * @description The address of the wallet whose event it is (see `attribution`); of a transfer the sender.
             * @example 0x53b99890e68641374569fabd8f6a27334d041914
             */
            wallet_address: string;
            /**
             * @description How the tokens left it. Only `sale` is a sale.
             * @example sale
             */
            kind: ("sale" | "liquidity" | "transfer") | components["schemas"]["LaterWord"];
            /**
             * Format: double
             * @description The share of its position that left; 100: nothing was left. Null: not known.
             * @example 25
             */
            share_pct: number | null;
            /**
             * Format: double
             * @description How much left it, in whole tokens.
             * @example 1200
             */
            quantity: number | null;
            /**
             * Format: double
             * @description What it holds at the end of the block, in whole tokens; null: not known.
             * @example 3600
             */
            left_quantity: number | null;
            /**
             * Format: double
             * @description The value; null where it is unknown.
             * @example 1390.8
             */
            amount_usd: number | null;
            /**
             * @description The number of the block.
             * @example 5661
             */
            block_number: number;
            /**
             * Format: date-time
             * @description The time of the block.
             * @example 2025-11-08T08:53:20.000Z
             */
            timestamp: string;
            /**
             * @description The hash of the transaction: 0x and 64 hex digits.
             * @example 0x5ce2d520baf944ebd2ae18a21d9ef8ea3d5a5da33bd23c2fb484241edbb55224
             */
            tx_hash: string;
            /**
             * @description Whether it can be sold; null where no check has told.
             * @example true
             */
            sellable: boolean | null;
            /**
             * @description The verdict in one sentence; null before its first score.
             * @example One wallet can take 97 % of the liquidity at any time.
             */
            headline: string | null;
        };
        /** @description The tokens that began to match an alert, and the exits that it mirrors. */
        MatchedData: {
            /**
             * Format: uuid
             * @description The identifier of the message, the same at every attempt. It equals the header `webhook-id`.
             * @example 8c836439-fec8-4f4e-8285-8234390e1318
             */
            delivery_id: string;
            /** @description The alert. */
            alert: {
                /**
                 * Format: uuid
                 * @description Its identifier.
                 * @example 9ba7ee1a-0bdb-40c9-9670-3672d1283e87
                 */
                id: string;
                /**
                 * @description Its name, as its owner gave it.
                 * @example To my bot
                 */
                name: string;
            };
            /**
             * @description The number of tokens that began to match.
             * @example 1
             */
            total: number;
            /** @description The first of them. */
            tokens: components["schemas"]["MatchedToken"][];
            /** @description What wallets sold or moved away, oldest first; none without `mirror_sales`. */
            exits: components["schemas"]["WalletExit"][];
        };
        /** @description A message that the owner of an alert asked for, without tokens. */
        TestMessage: {
            /**
             * @description The kind of message.
             * @example alert.test
             * @enum {string}
             */
            type: "alert.test";
            /**
             * Format: date-time
             * @description The time at which the message was written.
             * @example 2025-11-08T08:53:20.000Z
             */
            timestamp: string;
            data: components["schemas"]["MatchedData"];
        };
        /** @description A message to the webhook of an alert. */
        MatchedMessage: {
            /**
             * @description The kind of message.
             * @example alert.matched
             * @enum {string}
             */
            type: "alert.matched";
            /**
             * Format: date-time
             * @description The time at which the message was written.
             * @example 2025-11-08T08:53:20.000Z
             */
            timestamp: string;
            data: components["schemas"]["MatchedData"];
        };
        /** @description Events of a followed token or wallet, in the order of the chain. */
        EventsData: {
            /**
             * Format: uuid
             * @description The identifier of the message, the same at every attempt. It equals the header `webhook-id`.
             * @example 8c836439-fec8-4f4e-8285-8234390e1318
             */
            delivery_id: string;
            /** @description The webhook of events. */
            webhook: {
                /**
                 * Format: uuid
                 * @description Its identifier.
                 * @example 9ba7ee1a-0bdb-40c9-9670-3672d1283e87
                 */
                id: string;
                /**
                 * @description Its name, as its owner gave it.
                 * @example Trades of my fund
                 */
                name: string;
            };
            /**
             * @description The number of events before the first one that the receiver gets from no message.
             * @example 0
             */
            dropped: number;
            /** @description The events. */
            events: components["schemas"]["StreamedEvent"][];
        };
        /** @description A message to a webhook of events. */
        EventsMessage: {
            /**
             * @description The kind of message.
             * @example events
             * @enum {string}
             */
            type: "events";
            /**
             * Format: date-time
             * @description The time at which the message was written.
             * @example 2025-11-08T08:53:20.000Z
             */
            timestamp: string;
            data: components["schemas"]["EventsData"];
        };
        /** @description A token in its place of a list. */
        PlacedToken: {
            /**
             * Format: int32
             * @description The number of its place, from 1.
             * @example 1
             */
            place: number;
            /**
             * @description Whether it was not in the list before.
             * @example true
             */
            is_new: boolean;
            /**
             * @description The address of the token.
             * @example 0x53b99890e68641374569fabd8f6a27334d041914
             */
            token_address: string;
            /** @description The token as GET /tokens has it now; null if a reorganisation removed it. */
            token: components["schemas"]["Token"] | null;
        };
        /** @description What became of a list of tokens. Take away the tokens of `left` and `placed`, then put those of `placed` in their places, the lowest first. */
        ScreenUpdate: {
            /**
             * Format: int32
             * @description The block whose list it now is.
             * @example 5661
             */
            block_number: number;
            /**
             * @description The hash of the block.
             * @example 0x5ce2d520baf944ebd2ae18a21d9ef8ea3d5a5da33bd23c2fb484241edbb55224
             */
            block_hash: string;
            /**
             * @description Whether to begin with an empty list: the first message, or one after a place that is not known.
             * @example true
             */
            reset: boolean;
            /**
             * @description Whether a reorganisation rolled a block back since the message before, or this is not known.
             * @example true
             */
            retracted: boolean;
            /**
             * @description The tokens that left the list.
             * @example [
             *       "0x53b99890e68641374569fabd8f6a27334d041914"
             *     ]
             */
            left: string[];
            /** @description The tokens that entered the list or changed their order in it, by place. */
            placed: components["schemas"]["PlacedToken"][];
        };
        /**
         * @description An order in which a list of tokens can be followed: it changes with what happens, not with time alone.
         * @example trending
         * @enum {string}
         */
        ScreenSort: "trending" | "newest" | "liquidity" | "volume" | "risk_asc";
        /** @description The wish to get a link by mail. */
        SignupInput: {
            /**
             * @description Your mail address, in ASCII.
             * @example you@example.com
             */
            email: string;
            /**
             * @description The code of an invite, for a new account.
             * @example kM3vQ0Zb2yq1cXw8dN5rT7uJ4hF6gS9aLpEoVxBnIiY
             */
            invite?: string;
        };
        /** @description The same answer for every address. */
        SignupAnswer: {
            /**
             * @description A sentence for people.
             * @example If the address can get one, a mail with a link is on its way.
             */
            message: string;
        };
        /** @description The token of a link. */
        SignupToken: {
            /**
             * @description The part of the link after #token=.
             * @example kM3vQ0Zb2yq1cXw8dN5rT7uJ4hF6gS9aLpEoVxBnIiY
             */
            token: string;
        };
        /** @description The account of a link, with a key. */
        SignupKey: {
            /**
             * @description The key. It is shown only here.
             * @example assay_live_Wq3vEjRWeJASNFZ4mrze8BI0VniavN7w12ab
             */
            key: string;
            /**
             * @description The identifier of the key.
             * @example 12
             */
            key_id: string;
            /**
             * @description The address of the account.
             * @example you@example.com
             */
            email: string;
            /**
             * @description The plan of the account.
             * @example free
             */
            plan: components["schemas"]["Plan"] | components["schemas"]["LaterWord"];
            /**
             * Format: date-time
             * @description When the key ends by itself, after a sign-in; null: it does not.
             * @example 2025-11-09T08:54:20.000Z
             */
            expires_at: string | null;
        };
        /** @description The body of every error. */
        Error: {
            error: components["schemas"]["ErrorDetail"];
        };
        /** @description What went wrong. */
        ErrorDetail: {
            /**
             * @description The code; treat an unknown one by its status.
             * @example INVALID_PARAMS
             */
            code: ("INVALID_PARAMS" | "UNAUTHORIZED" | "PAYMENT_REQUIRED" | "FORBIDDEN" | "NOT_FOUND" | "METHOD_NOT_ALLOWED" | "CONFLICT" | "PAYLOAD_TOO_LARGE" | "URI_TOO_LONG" | "UNSUPPORTED_MEDIA_TYPE" | "RATE_LIMITED" | "SERVER_ERROR" | "SERVICE_UNAVAILABLE") | components["schemas"]["LaterWord"];
            /**
             * @description A sentence for people.
             * @example limit must be an integer >= 1
             */
            message: string;
            /** @description Every fault of the request; only with INVALID_PARAMS and PAYMENT_REQUIRED. */
            details?: components["schemas"]["Fault"][];
            /**
             * Format: uuid
             * @description The same as the header X-Request-Id.
             * @example e5ea556b-a18e-4ffe-b389-f0bac3b94d22
             */
            request_id: string;
        };
        /** @description One fault of a request. */
        Fault: {
            /**
             * @description Where it is.
             * @example query
             */
            location: ("query" | "path" | "body" | "header") | components["schemas"]["LaterWord"];
            /**
             * @description The name of the field; empty for the whole body.
             * @example limit
             */
            field: string;
            /**
             * @description The fault and its fix.
             * @example limit must be an integer >= 1
             */
            message: string;
        };
        /**
         * @description A word that a later version of the server adds.
         * @example later
         */
        LaterWord: string;
    };
    responses: {
        /** @description The request is not valid; `details` names every fault. */
        INVALID_PARAMS: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": {
                 *         "code": "INVALID_PARAMS",
                 *         "message": "limit must be an integer >= 1",
                 *         "details": [
                 *           {
                 *             "location": "query",
                 *             "field": "limit",
                 *             "message": "limit must be an integer >= 1"
                 *           }
                 *         ],
                 *         "request_id": "e5ea556b-a18e-4ffe-b389-f0bac3b94d22"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description No key, or one that is malformed, unknown, revoked or expired. */
        UNAUTHORIZED: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": {
                 *         "code": "UNAUTHORIZED",
                 *         "message": "Send a valid API key: Authorization: Bearer <API_KEY>.",
                 *         "request_id": "e5ea556b-a18e-4ffe-b389-f0bac3b94d22"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Only where the operator takes payments, without a key: PAYMENT-REQUIRED has what to sign, by x402 version 2. `details` names every fault of a payment. */
        PAYMENT_REQUIRED: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                "PAYMENT-REQUIRED": components["headers"]["PAYMENT-REQUIRED"];
                "PAYMENT-RESPONSE": components["headers"]["PAYMENT-RESPONSE"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": {
                 *         "code": "PAYMENT_REQUIRED",
                 *         "message": "Send your API key, or pay: PAYMENT-REQUIRED has what to sign for PAYMENT-SIGNATURE.",
                 *         "request_id": "e5ea556b-a18e-4ffe-b389-f0bac3b94d22"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The plan does not allow it; or plain HTTP behind a trusted proxy. */
        FORBIDDEN: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": {
                 *         "code": "FORBIDDEN",
                 *         "message": "Your plan allows 3 active alerts.",
                 *         "request_id": "e5ea556b-a18e-4ffe-b389-f0bac3b94d22"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The address is not indexed, as of the block in `Assay-Block`; or there is no such alert, which names no block. */
        NOT_FOUND: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                "Assay-Block": components["headers"]["Assay-Block"];
                "Assay-Block-Time": components["headers"]["Assay-Block-Time"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": {
                 *         "code": "NOT_FOUND",
                 *         "message": "This token is not indexed.",
                 *         "request_id": "e5ea556b-a18e-4ffe-b389-f0bac3b94d22"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description An Idempotency-Key was used for something else, or its first request is under way. */
        CONFLICT: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": {
                 *         "code": "CONFLICT",
                 *         "message": "This Idempotency-Key was used with another body within the past 24 hours.",
                 *         "request_id": "e5ea556b-a18e-4ffe-b389-f0bac3b94d22"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The body is above 16 KiB. */
        PAYLOAD_TOO_LARGE: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": {
                 *         "code": "PAYLOAD_TOO_LARGE",
                 *         "message": "The body must not be larger than 16384 bytes.",
                 *         "request_id": "e5ea556b-a18e-4ffe-b389-f0bac3b94d22"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The URL is above 8 KiB. */
        URI_TOO_LONG: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": {
                 *         "code": "URI_TOO_LONG",
                 *         "message": "The URL must not be longer than 8192 bytes.",
                 *         "request_id": "e5ea556b-a18e-4ffe-b389-f0bac3b94d22"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The body is not application/json in UTF-8. */
        UNSUPPORTED_MEDIA_TYPE: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": {
                 *         "code": "UNSUPPORTED_MEDIA_TYPE",
                 *         "message": "Send the body as JSON in UTF-8, not compressed: Content-Type: application/json",
                 *         "request_id": "e5ea556b-a18e-4ffe-b389-f0bac3b94d22"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description A limit is used up; wait for Retry-After seconds. */
        RATE_LIMITED: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": {
                 *         "code": "RATE_LIMITED",
                 *         "message": "The limit of 10 requests per minute is used up.",
                 *         "request_id": "e5ea556b-a18e-4ffe-b389-f0bac3b94d22"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description A fault of the server: try again in a moment, and name the request_id when you report it. */
        SERVER_ERROR: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": {
                 *         "code": "SERVER_ERROR",
                 *         "message": "Something went wrong on our side. Try again in a moment.",
                 *         "request_id": "e5ea556b-a18e-4ffe-b389-f0bac3b94d22"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The answer took longer than 15 s, or the server is overloaded. It costs nothing. */
        SERVICE_UNAVAILABLE: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": {
                 *         "code": "SERVICE_UNAVAILABLE",
                 *         "message": "The server is overloaded: try again in a moment.",
                 *         "request_id": "e5ea556b-a18e-4ffe-b389-f0bac3b94d22"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: {
        /** @description The request's identifier, the same as an error's `request_id` and in the log. */
        "X-Request-Id": string;
        /** @description The account's windows: `q` requests in `w` seconds. None when the account has no limits. */
        "RateLimit-Policy": string;
        /** @description The rest of each window: `r` requests for `t` seconds. None when the account has no limits. */
        RateLimit: string;
        /** @description The number of the block that the answer reflects. None before the first block is indexed. */
        "Assay-Block": number;
        /** @description The time of that block: the "now" of every age and window. */
        "Assay-Block-Time": string;
        /** @description Identifies these bytes; send it as If-None-Match to get 304 while the answer is the same. */
        ETag: string;
        /** @description Whether the answer may be cached: `private, no-cache` may, and is validated by its ETag; `no-store` may not. A stream must not be transformed either. */
        "Cache-Control": "private, no-cache" | "no-store" | "no-store, no-transform";
        /** @description The address of the next page (RFC 8288), with `rel="next"`; none on the last page. Links of tokens keep the block of the list, those of wallets and events continue after a place. The page docs/rest.md says what following them guarantees. */
        Link: string;
        /** @description The path of the created object. */
        Location: string;
        /** @description Present when the answer is the stored one of an earlier request with the same Idempotency-Key. */
        "Idempotent-Replayed": "true";
        /** @description Whole seconds. After a 429 a client that waits this long is served; after a 503 it may try again. */
        "Retry-After": number;
        /** @description The scheme of the key; with `error="invalid_token"` when a key was sent. */
        "WWW-Authenticate": string;
        /** @description What to sign, as JSON in base64: a PaymentRequired of x402 version 2. */
        "PAYMENT-REQUIRED": string;
        /** @description The transfer of a payment, or why there is none, as JSON in base64: a SettlementResponse of x402. */
        "PAYMENT-RESPONSE": string;
        /** @description Browsers may ask from any page; there are no cookies. */
        "Access-Control-Allow-Origin": "*";
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    search: {
        parameters: {
            query: {
                /** @description The text to search for, 1 to 64 characters. */
                query: string;
                /** @description The largest number of items, from 1; a larger value than 50 counts as 50. */
                limit?: number;
            };
            header?: {
                /** @description The ETag of an answer that you have: 304 if it is the same. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Finds tokens by symbol, name or address, and wallets by address. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    "Assay-Block": components["headers"]["Assay-Block"];
                    "Assay-Block-Time": components["headers"]["Assay-Block-Time"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "tokens": [
                     *         {
                     *           "address": "0x9c616b018070b55cf94c0a0fa6203b6147727d3e",
                     *           "name": "Otter Network",
                     *           "symbol": "OTTER",
                     *           "price_usd": 0.000273467092,
                     *           "market_cap_usd": 273467.09194,
                     *           "liquidity_usd": 293883.674325,
                     *           "risk_score": 4,
                     *           "risk_level": "low",
                     *           "lookalike_of": null
                     *         }
                     *       ],
                     *       "wallets": []
                     *     }
                     */
                    "application/json": components["schemas"]["Search"];
                };
            };
            /** @description The answer in If-None-Match is still valid. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    "Assay-Block": components["headers"]["Assay-Block"];
                    "Assay-Block-Time": components["headers"]["Assay-Block-Time"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["INVALID_PARAMS"];
            401: components["responses"]["UNAUTHORIZED"];
            402: components["responses"]["PAYMENT_REQUIRED"];
            403: components["responses"]["FORBIDDEN"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            414: components["responses"]["URI_TOO_LONG"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["SERVER_ERROR"];
            503: components["responses"]["SERVICE_UNAVAILABLE"];
        };
    };
    listTokens: {
        parameters: {
            query?: {
                /** @description The order of the list; equal tokens are ordered by address. `gainers` and `losers` are by the change of price in 24 hours. */
                sort?: "trending" | "newest" | "liquidity" | "volume" | "risk_asc" | "gainers" | "losers";
                /** @description The least liquidity in USD, 0 or more. */
                min_liquidity_usd?: number;
                /** @description The largest market cap in USD, 0 or more. A token with an unknown cap counts as 0 here; a least cap excludes it. */
                max_market_cap_usd?: number;
                /** @description The smallest market cap in USD, 0 or more. */
                min_market_cap_usd?: number;
                /** @description The highest risk score, 0-100. */
                max_risk_score?: number;
                /** @description Excludes tokens with any of these flags. */
                exclude_flags?: components["schemas"]["RiskFlag"][];
                /** @description The least growth of the number of holders over the past hour in percent; may be negative. */
                min_holder_growth_1h_pct?: number;
                /** @description The greatest age in hours, 0 or more. */
                max_age_hours?: number;
                /** @description The least share of snipers in the supply, in percent, 0-100. A token whose share is unknown is left out. */
                min_sniper_held_pct?: number;
                /** @description The largest share of snipers in the supply, in percent, 0-100. A token whose share is unknown is left out. */
                max_sniper_held_pct?: number;
                /** @description The least share of bundled wallets in the supply, in percent, 0-100. A token whose share is unknown is left out. */
                min_bundler_held_pct?: number;
                /** @description The largest share of bundled wallets in the supply, in percent, 0-100. A token whose share is unknown is left out. */
                max_bundler_held_pct?: number;
                /** @description The least share of insiders in the supply, in percent, 0-100. A token whose share is unknown is left out. */
                min_insider_held_pct?: number;
                /** @description The largest share of insiders in the supply, in percent, 0-100. A token whose share is unknown is left out. */
                max_insider_held_pct?: number;
                /** @description The least share of the developer in the supply, in percent, 0-100. A token whose share is unknown is left out. */
                min_developer_held_pct?: number;
                /** @description The largest share of the developer in the supply, in percent, 0-100. A token whose share is unknown is left out. */
                max_developer_held_pct?: number;
                /** @description The least share of fresh wallets in the supply, in percent, 0-100. A token whose share is unknown is left out. */
                min_fresh_held_pct?: number;
                /** @description The largest share of fresh wallets in the supply, in percent, 0-100. A token whose share is unknown is left out. */
                max_fresh_held_pct?: number;
                /** @description Only tokens with these addresses, 100 at most; excludes those that are not indexed. */
                addresses?: string[];
                /** @description The block of the list's members and order, as the link to the next page has it; the newest if left out. Refused once the block is no longer kept. */
                as_of?: number;
                /** @description The number of the page, from 1. */
                page?: number;
                /** @description The largest number of items per page, from 1; a larger value than 200 counts as 200. */
                limit?: number;
            };
            header?: {
                /** @description The ETag of an answer that you have: 304 if it is the same. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Lists tokens that pass every filter. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    "Assay-Block": components["headers"]["Assay-Block"];
                    "Assay-Block-Time": components["headers"]["Assay-Block-Time"];
                    ETag: components["headers"]["ETag"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "address": "0xb2d6e346e7645562f2de11ae4ac931c3b028f5fa",
                     *           "name": "Iris",
                     *           "symbol": "IRIS",
                     *           "market_cap_usd": 287973.523693,
                     *           "volume_24h_usd": 8052.027614,
                     *           "liquidity_usd": 385837.097577,
                     *           "holder_count": 44,
                     *           "age_hours": 619.2,
                     *           "risk_score": 3.8,
                     *           "risk_flags": [],
                     *           "ai_summary": "Iris (IRIS) is 26 days old and of low risk; the worst found: LP tokens moved on day 7. In its favour: liquidity $386k, no wallet can withdraw more than 2 %; liquidity was added 9 times. Confidence is medium: few trades so far and a contract checked only in part.",
                     *           "launchpad": "uniswap_v4",
                     *           "price_usd": 0.000287973524,
                     *           "price_change_24h_pct": 1.13756629,
                     *           "fdv_usd": 287973.523693,
                     *           "confidence": "medium",
                     *           "sniper_held_pct": 0,
                     *           "bundler_held_pct": 0,
                     *           "insider_held_pct": 0,
                     *           "developer_held_pct": 0.1,
                     *           "fresh_held_pct": 3.61,
                     *           "reasons": [
                     *             {
                     *               "kind": "caution",
                     *               "text": "LP tokens moved on day 7",
                     *               "points": 9.65
                     *             }
                     *           ],
                     *           "sell_check": {
                     *             "status": "checked",
                     *             "sellable": true,
                     *             "sell_tax_pct": null,
                     *             "checked_at": "2025-11-08T08:53:20.000Z",
                     *             "reason": null
                     *           },
                     *           "verdict": {
                     *             "level": "low",
                     *             "headline": "No danger found in 26 days: no wallet can take much of its liquidity.",
                     *             "findings": [
                     *               {
                     *                 "kind": "caution",
                     *                 "topic": "liquidity",
                     *                 "severity": 10,
                     *                 "text": "LP tokens moved on day 7",
                     *                 "points": 9.65,
                     *                 "since": null,
                     *                 "block": null
                     *               }
                     *             ],
                     *             "unknown": [
                     *               {
                     *                 "topic": "owner",
                     *                 "text": "A part of what its contract allows"
                     *               }
                     *             ],
                     *             "confidence": "medium",
                     *             "checked_at": "2025-11-08T08:53:20.000Z",
                     *             "alike": {
                     *               "text": "Unproven: of only 26 tokens of this level at an age of 3 days, 1 was pulled or fell by 90 % within 30 days",
                     *               "token_count": 26,
                     *               "pulled_count": 1,
                     *               "pulled_share": 0.0384615385,
                     *               "least_share": 0.00682180898,
                     *               "most_share": 0.18893177,
                     *               "proven": false,
                     *               "age_hours": 72
                     *             }
                     *           },
                     *           "unknown": []
                     *         }
                     *       ],
                     *       "total": 54,
                     *       "page": 1,
                     *       "limit": 50
                     *     }
                     */
                    "application/json": components["schemas"]["TokenPage"];
                    "text/csv": string;
                };
            };
            /** @description The answer in If-None-Match is still valid. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    "Assay-Block": components["headers"]["Assay-Block"];
                    "Assay-Block-Time": components["headers"]["Assay-Block-Time"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["INVALID_PARAMS"];
            401: components["responses"]["UNAUTHORIZED"];
            402: components["responses"]["PAYMENT_REQUIRED"];
            403: components["responses"]["FORBIDDEN"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            414: components["responses"]["URI_TOO_LONG"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["SERVER_ERROR"];
            503: components["responses"]["SERVICE_UNAVAILABLE"];
        };
    };
    getToken: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of an answer that you have: 304 if it is the same. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The address of the token contract. */
                address: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One token with its largest holders. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    "Assay-Block": components["headers"]["Assay-Block"];
                    "Assay-Block-Time": components["headers"]["Assay-Block-Time"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "address": "0x53b99890e68641374569fabd8f6a27334d041914",
                     *       "name": "Exodus",
                     *       "symbol": "EXODUS",
                     *       "market_cap_usd": 446643.958516,
                     *       "volume_24h_usd": 24935.264717,
                     *       "liquidity_usd": 503766.477813,
                     *       "holder_count": 89,
                     *       "age_hours": 252,
                     *       "risk_score": 42.99,
                     *       "risk_flags": [
                     *         "smart_money_exiting"
                     *       ],
                     *       "ai_summary": "Exodus (EXODUS) is 10 days old and of medium risk: wallets with a good record sold 74 % of theirs within a day. In its favour: liquidity $504k, burned or locked: nobody can withdraw it; 122 trades by 85 wallets in 7 days, $200k. Confidence is medium: few trades so far and a contract checked only in part.",
                     *       "launchpad": "uniswap_v2",
                     *       "top_holders": [
                     *         {
                     *           "address": "0x2e9a17174d9e77d3802d53929b53e2c5184a741b",
                     *           "holding_pct": 56.394637,
                     *           "classification": "pool",
                     *           "reputation_score": 50,
                     *           "net_activity": "distributing"
                     *         }
                     *       ],
                     *       "created_at": "2025-10-28T20:53:20.000Z",
                     *       "price_usd": 0.000446643959,
                     *       "price_change_24h_pct": -12.3852786,
                     *       "fdv_usd": 446643.958516,
                     *       "confidence": "medium",
                     *       "sniper_held_pct": 0,
                     *       "bundler_held_pct": 0,
                     *       "insider_held_pct": 0,
                     *       "developer_held_pct": 0,
                     *       "fresh_held_pct": 0,
                     *       "reasons": [
                     *         {
                     *           "kind": "caution",
                     *           "text": "Wallets with a good record sold 74 % of theirs within a day",
                     *           "points": 41.85
                     *         }
                     *       ],
                     *       "sell_check": {
                     *         "status": "checked",
                     *         "sellable": true,
                     *         "sell_tax_pct": null,
                     *         "checked_at": "2025-11-08T08:53:20.000Z",
                     *         "reason": null
                     *       },
                     *       "verdict": {
                     *         "level": "medium",
                     *         "headline": "Traders with a good record are getting out.",
                     *         "findings": [
                     *           {
                     *             "kind": "caution",
                     *             "topic": "market",
                     *             "severity": 42.65,
                     *             "text": "Wallets with a good record sold 74 % of theirs within a day",
                     *             "points": 41.85,
                     *             "since": null,
                     *             "block": null
                     *           }
                     *         ],
                     *         "unknown": [
                     *           {
                     *             "topic": "owner",
                     *             "text": "A part of what its contract allows"
                     *           }
                     *         ],
                     *         "confidence": "medium",
                     *         "checked_at": "2025-11-08T08:53:20.000Z",
                     *         "alike": {
                     *           "text": "Of 222 tokens of this level at an age of 3 days, 20 % were pulled or fell by 90 % within 30 days (15 to 27 %)",
                     *           "token_count": 222,
                     *           "pulled_count": 45,
                     *           "pulled_share": 0.202702703,
                     *           "least_share": 0.155084751,
                     *           "most_share": 0.260434799,
                     *           "proven": true,
                     *           "age_hours": 72
                     *         }
                     *       },
                     *       "unknown": []
                     *     }
                     */
                    "application/json": components["schemas"]["TokenProfile"];
                };
            };
            /** @description The answer in If-None-Match is still valid. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    "Assay-Block": components["headers"]["Assay-Block"];
                    "Assay-Block-Time": components["headers"]["Assay-Block-Time"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["INVALID_PARAMS"];
            401: components["responses"]["UNAUTHORIZED"];
            402: components["responses"]["PAYMENT_REQUIRED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            414: components["responses"]["URI_TOO_LONG"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["SERVER_ERROR"];
            503: components["responses"]["SERVICE_UNAVAILABLE"];
        };
    };
    listTokenHolders: {
        parameters: {
            query?: {
                /** @description The number of the page, from 1. */
                page?: number;
                /** @description The largest number of items per page, from 1; a larger value than 200 counts as 200. */
                limit?: number;
            };
            header?: {
                /** @description The ETag of an answer that you have: 304 if it is the same. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The address of the token contract. */
                address: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The holders of a token, the largest first. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    "Assay-Block": components["headers"]["Assay-Block"];
                    "Assay-Block-Time": components["headers"]["Assay-Block-Time"];
                    ETag: components["headers"]["ETag"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "address": "0x2e9a17174d9e77d3802d53929b53e2c5184a741b",
                     *           "holding_pct": 56.394637,
                     *           "quantity": 563946369.594655,
                     *           "value_usd": 251883.238906,
                     *           "sellable_usd": 125941.619449,
                     *           "rebasing": false,
                     *           "classification": "pool",
                     *           "reputation_score": 50,
                     *           "reputation_confidence": "low",
                     *           "net_activity": "distributing",
                     *           "first_at": "2025-10-28T21:23:20.000Z",
                     *           "last_at": "2025-11-08T07:55:44.000Z"
                     *         }
                     *       ],
                     *       "total": 89,
                     *       "page": 1,
                     *       "limit": 50
                     *     }
                     */
                    "application/json": components["schemas"]["HolderPage"];
                    "text/csv": string;
                };
            };
            /** @description The answer in If-None-Match is still valid. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    "Assay-Block": components["headers"]["Assay-Block"];
                    "Assay-Block-Time": components["headers"]["Assay-Block-Time"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["INVALID_PARAMS"];
            401: components["responses"]["UNAUTHORIZED"];
            402: components["responses"]["PAYMENT_REQUIRED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            414: components["responses"]["URI_TOO_LONG"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["SERVER_ERROR"];
            503: components["responses"]["SERVICE_UNAVAILABLE"];
        };
    };
    listTokenPools: {
        parameters: {
            query?: {
                /** @description The number of the page, from 1. */
                page?: number;
                /** @description The largest number of items per page, from 1; a larger value than 200 counts as 200. */
                limit?: number;
            };
            header?: {
                /** @description The ETag of an answer that you have: 304 if it is the same. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The address of the token contract. */
                address: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The pools of a token with their locks, the deepest first. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    "Assay-Block": components["headers"]["Assay-Block"];
                    "Assay-Block-Time": components["headers"]["Assay-Block-Time"];
                    ETag: components["headers"]["ETag"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "address": "0x2e9a17174d9e77d3802d53929b53e2c5184a741b",
                     *           "pool_id": null,
                     *           "type": "v2",
                     *           "factory": "0x7356e009bc93f8b9f9ef45b343af795bb9b8023b",
                     *           "launchpad": "uniswap_v2",
                     *           "fee_pct": 0.3,
                     *           "price_in_quote": 1.42227203e-7,
                     *           "liquidity_usd": 503766.477813,
                     *           "peak_liquidity_usd": 550867.930006,
                     *           "depth_2pct_usd": 2506.362616,
                     *           "base_address": "0x53b99890e68641374569fabd8f6a27334d041914",
                     *           "quote_address": "0x88b2be3066048e07c1c50b770b2d94b5ece6ca94",
                     *           "quote_symbol": "WETH",
                     *           "created_at": "2025-10-28T21:23:20.000Z",
                     *           "locks": []
                     *         }
                     *       ],
                     *       "total": 1,
                     *       "page": 1,
                     *       "limit": 50
                     *     }
                     */
                    "application/json": components["schemas"]["PoolPage"];
                    "text/csv": string;
                };
            };
            /** @description The answer in If-None-Match is still valid. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    "Assay-Block": components["headers"]["Assay-Block"];
                    "Assay-Block-Time": components["headers"]["Assay-Block-Time"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["INVALID_PARAMS"];
            401: components["responses"]["UNAUTHORIZED"];
            402: components["responses"]["PAYMENT_REQUIRED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            414: components["responses"]["URI_TOO_LONG"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["SERVER_ERROR"];
            503: components["responses"]["SERVICE_UNAVAILABLE"];
        };
    };
    listTokenCandles: {
        parameters: {
            query?: {
                /** @description The length of each interval. */
                interval?: components["schemas"]["Interval"];
                /** @description A time in the first interval. If left out, the last `limit` intervals. */
                from?: string;
                /** @description A time in the last interval; at most, and by default, the time of the block. */
                to?: string;
                /** @description Whether to include intervals without trades, with the last close before them. */
                fill?: boolean;
                /** @description The most intervals, including those without a point, from 1; above 1000 counts as 1000. A longer range is refused. */
                limit?: number;
            };
            header?: {
                /** @description The ETag of an answer that you have: 304 if it is the same. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The address of the token contract. */
                address: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The prices and trades of a token by interval, oldest first. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    "Assay-Block": components["headers"]["Assay-Block"];
                    "Assay-Block-Time": components["headers"]["Assay-Block-Time"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "start": "2025-11-01T09:00:00.000Z",
                     *           "open_usd": 0.000320569511,
                     *           "high_usd": 0.000320569511,
                     *           "low_usd": 0.000320569511,
                     *           "close_usd": 0.000320569511,
                     *           "volume_usd": 557.691925,
                     *           "buy_volume_usd": 0,
                     *           "sell_volume_usd": 557.691925,
                     *           "buy_count": 0,
                     *           "sell_count": 1,
                     *           "liquidity_usd": 423859.529462,
                     *           "holder_count": 38,
                     *           "circulating_supply": 1000000000,
                     *           "market_cap_usd": 320569.511023
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["TokenCandles"];
                    "text/csv": string;
                };
            };
            /** @description The answer in If-None-Match is still valid. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    "Assay-Block": components["headers"]["Assay-Block"];
                    "Assay-Block-Time": components["headers"]["Assay-Block-Time"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["INVALID_PARAMS"];
            401: components["responses"]["UNAUTHORIZED"];
            402: components["responses"]["PAYMENT_REQUIRED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            414: components["responses"]["URI_TOO_LONG"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["SERVER_ERROR"];
            503: components["responses"]["SERVICE_UNAVAILABLE"];
        };
    };
    listTokenTraders: {
        parameters: {
            query?: {
                /** @description Their order. */
                sort?: components["schemas"]["TraderOrder"];
                /** @description The largest number of items, from 1; a larger value than 100 counts as 100. */
                limit?: number;
            };
            header?: {
                /** @description The ETag of an answer that you have: 304 if it is the same. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The address of the token contract. */
                address: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The traders of a token with the most profit, loss or volume. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    "Assay-Block": components["headers"]["Assay-Block"];
                    "Assay-Block-Time": components["headers"]["Assay-Block-Time"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "wallet_address": "0xaf28923abc0e1c2561c8fd89ff096dad4663c471",
                     *           "classification": "smart_money",
                     *           "reputation_score": 74,
                     *           "realised_usd": 4143.433269,
                     *           "open_usd": 1129.212614,
                     *           "bought_usd": 4320.284572,
                     *           "sold_usd": 7494.245983,
                     *           "volume_usd": 11814.530555,
                     *           "trade_count": 2,
                     *           "quantity": 4698786.20732954,
                     *           "first_at": "2025-10-29T22:16:44.000Z",
                     *           "last_at": "2025-11-07T22:05:56.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["TokenTraders"];
                    "text/csv": string;
                };
            };
            /** @description The answer in If-None-Match is still valid. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    "Assay-Block": components["headers"]["Assay-Block"];
                    "Assay-Block-Time": components["headers"]["Assay-Block-Time"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["INVALID_PARAMS"];
            401: components["responses"]["UNAUTHORIZED"];
            402: components["responses"]["PAYMENT_REQUIRED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            414: components["responses"]["URI_TOO_LONG"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["SERVER_ERROR"];
            503: components["responses"]["SERVICE_UNAVAILABLE"];
        };
    };
    getTokenLaunch: {
        parameters: {
            query?: {
                /** @description The number of the page, from 1. */
                page?: number;
                /** @description The largest number of items per page, from 1; a larger value than 200 counts as 200. */
                limit?: number;
            };
            header?: {
                /** @description The ETag of an answer that you have: 304 if it is the same. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The address of the token contract. */
                address: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Who was there when a token opened: what each group holds, sold and earned. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    "Assay-Block": components["headers"]["Assay-Block"];
                    "Assay-Block-Time": components["headers"]["Assay-Block-Time"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "opened_at": "2025-10-28T21:23:20.000Z",
                     *       "groups": [
                     *         {
                     *           "name": "snipers",
                     *           "definition": "First bought within 60 seconds of the first liquidity.",
                     *           "unknown": [],
                     *           "wallet_count": 0,
                     *           "held_pct": 0,
                     *           "peak_pct": 0,
                     *           "peak_at": null,
                     *           "sold_pct": 0,
                     *           "sold_usd": 0,
                     *           "realised_usd": 0,
                     *           "coverage": 1,
                     *           "wallets": []
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["TokenLaunchGroups"];
                };
            };
            /** @description The answer in If-None-Match is still valid. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    "Assay-Block": components["headers"]["Assay-Block"];
                    "Assay-Block-Time": components["headers"]["Assay-Block-Time"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["INVALID_PARAMS"];
            401: components["responses"]["UNAUTHORIZED"];
            402: components["responses"]["PAYMENT_REQUIRED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            414: components["responses"]["URI_TOO_LONG"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["SERVER_ERROR"];
            503: components["responses"]["SERVICE_UNAVAILABLE"];
        };
    };
    getTokenSafety: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of an answer that you have: 304 if it is the same. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The address of the token contract. */
                address: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The powers over holders in one token's contract, and whether it can be sold. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    "Assay-Block": components["headers"]["Assay-Block"];
                    "Assay-Block-Time": components["headers"]["Assay-Block-Time"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "address": "0x53b99890e68641374569fabd8f6a27334d041914",
                     *       "symbol": "EXODUS",
                     *       "risk_score": 42.99,
                     *       "sell_check": {
                     *         "status": "checked",
                     *         "sellable": true,
                     *         "buyable": true,
                     *         "buy_tax_pct": null,
                     *         "sell_tax_pct": null,
                     *         "measured_sell_tax_pct": 0,
                     *         "holders_tried": 24,
                     *         "holders_blocked": 0,
                     *         "checked_block": 7113,
                     *         "checked_at": "2025-11-08T08:53:20.000Z",
                     *         "method": "transfer",
                     *         "reason": null,
                     *         "refusal": "",
                     *         "vouch": null,
                     *         "call": {
                     *           "method": "eth_call",
                     *           "params": "[{\"from\":\"0x9e14a092e5637597ec8b88af84b4319093da092e\",\"to\":\"0x53b99890e68641374569fabd8f6a27334d041914\",\"data\":\"0xa9059cbb0000000000000000000000002e9a17174d9e77d3802d53929b53e2c5184a741b000000000000000000000000000000000000000000025519f842d814c0893952\",\"gas\":\"0x718d5\",\"gasPrice\":\"0xe111300\"},\"0x1bc9\"]"
                     *         }
                     *       },
                     *       "powers": [],
                     *       "powers_read": [
                     *         "0x53b99890e68641374569fabd8f6a27334d041914: 10 functions"
                     *       ],
                     *       "findings": [],
                     *       "balances_differ": {
                     *         "asked": 10,
                     *         "differ": 0,
                     *         "moved": 0,
                     *         "rebasing": false
                     *       },
                     *       "multiplier": null,
                     *       "code": {
                     *         "hash": "0xfcdea3a8bc13329dde2492eba879ee7374ad50f04f678e89d687fe3b35bc2d5f",
                     *         "proxy": null,
                     *         "implementation": null,
                     *         "owner": null,
                     *         "admin": null,
                     *         "verified_clone": false,
                     *         "unread": null,
                     *         "native": null,
                     *         "tokens_with_same_code": 29
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["TokenSafety"];
                };
            };
            /** @description The answer in If-None-Match is still valid. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    "Assay-Block": components["headers"]["Assay-Block"];
                    "Assay-Block-Time": components["headers"]["Assay-Block-Time"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["INVALID_PARAMS"];
            401: components["responses"]["UNAUTHORIZED"];
            402: components["responses"]["PAYMENT_REQUIRED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            414: components["responses"]["URI_TOO_LONG"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["SERVER_ERROR"];
            503: components["responses"]["SERVICE_UNAVAILABLE"];
        };
    };
    checkToken: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The address of the token contract. */
                address: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Checks a token's contract now, and answers the verdict. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "state": "checked",
                     *       "address": "0x53b99890e68641374569fabd8f6a27334d041914",
                     *       "symbol": "EXODUS",
                     *       "risk_score": 42.99,
                     *       "verdict": {
                     *         "level": "medium",
                     *         "headline": "Traders with a good record are getting out.",
                     *         "findings": [
                     *           {
                     *             "kind": "caution",
                     *             "topic": "market",
                     *             "severity": 42.65,
                     *             "text": "Wallets with a good record sold 74 % of theirs within a day",
                     *             "points": 41.85,
                     *             "since": null,
                     *             "block": null
                     *           }
                     *         ],
                     *         "unknown": [
                     *           {
                     *             "topic": "owner",
                     *             "text": "A part of what its contract allows"
                     *           }
                     *         ],
                     *         "confidence": "medium",
                     *         "checked_at": "2025-11-08T08:53:20.000Z",
                     *         "alike": {
                     *           "text": "Of 222 tokens of this level at an age of 3 days, 20 % were pulled or fell by 90 % within 30 days (15 to 27 %)",
                     *           "token_count": 222,
                     *           "pulled_count": 45,
                     *           "pulled_share": 0.202702703,
                     *           "least_share": 0.155084751,
                     *           "most_share": 0.260434799,
                     *           "proven": true,
                     *           "age_hours": 72
                     *         }
                     *       },
                     *       "sell_check": {
                     *         "status": "checked",
                     *         "sellable": true,
                     *         "buyable": true,
                     *         "buy_tax_pct": null,
                     *         "sell_tax_pct": null,
                     *         "measured_sell_tax_pct": 0,
                     *         "holders_tried": 24,
                     *         "holders_blocked": 0,
                     *         "checked_block": 7113,
                     *         "checked_at": "2025-11-08T08:53:20.000Z",
                     *         "method": "transfer",
                     *         "reason": null,
                     *         "refusal": "",
                     *         "vouch": null,
                     *         "call": {
                     *           "method": "eth_call",
                     *           "params": "[{\"from\":\"0x9e14a092e5637597ec8b88af84b4319093da092e\",\"to\":\"0x53b99890e68641374569fabd8f6a27334d041914\",\"data\":\"0xa9059cbb0000000000000000000000002e9a17174d9e77d3802d53929b53e2c5184a741b000000000000000000000000000000000000000000025519f842d814c0893952\",\"gas\":\"0x718d5\",\"gasPrice\":\"0xe111300\"},\"0x1bc9\"]"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["TokenCheckPayload"];
                };
            };
            400: components["responses"]["INVALID_PARAMS"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            409: components["responses"]["CONFLICT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            414: components["responses"]["URI_TOO_LONG"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["SERVER_ERROR"];
            503: components["responses"]["SERVICE_UNAVAILABLE"];
        };
    };
    askGate: {
        parameters: {
            query: {
                /** @description The address of the token contract. */
                token: string;
                /** @description What the bot wants to do. */
                action?: components["schemas"]["GateAction"];
                /** @description The size of its order in USD; left out: of any size. */
                amount_usd?: number;
                /** @description The rules: standard, strict, or the name of a saved policy. */
                policy?: string;
                /** @description What findings lead to, by their names, topics or kinds, from a severity on: `open_power:block,topic.owner@30:review`; 40 at most. The narrowest rule holds. `risk_score@70:block` is about the score. No rule allows a danger. */
                rules?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Whether a bot may trade a token now: allow, review or block, signed. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "decision": "review",
                     *       "token": "0x53b99890e68641374569fabd8f6a27334d041914",
                     *       "action": "buy",
                     *       "amount_usd": null,
                     *       "policy": "standard",
                     *       "headline": "Traders with a good record are getting out.",
                     *       "reasons": [
                     *         {
                     *           "name": "smart_money_exiting",
                     *           "decision": "review",
                     *           "text": "Wallets with a good record sold 74 % of theirs within a day"
                     *         }
                     *       ],
                     *       "missing": [
                     *         "A part of what its contract allows"
                     *       ],
                     *       "pull_chance_30d_pct": 3.02,
                     *       "alike": {
                     *         "text": "Of 222 tokens of this level at an age of 3 days, 20 % were pulled or fell by 90 % within 30 days (15 to 27 %)",
                     *         "token_count": 222,
                     *         "pulled_count": 45,
                     *         "pulled_share": 0.202702703,
                     *         "least_share": 0.155084751,
                     *         "most_share": 0.260434799,
                     *         "proven": true,
                     *         "age_hours": 72
                     *       },
                     *       "track_record": {
                     *         "text": "This installation has judged no week so far",
                     *         "token_count": 0,
                     *         "pulled_count": 0,
                     *         "pulled_share": null,
                     *         "horizon_days": null
                     *       },
                     *       "block_number": 7113,
                     *       "timestamp": "2025-11-08T08:53:20.000Z",
                     *       "ages": [
                     *         {
                     *           "fact": "index",
                     *           "block": 7113,
                     *           "seconds": 4633600
                     *         }
                     *       ],
                     *       "calls": [
                     *         {
                     *           "of": "sale",
                     *           "method": "eth_call",
                     *           "params": "[{\"from\":\"0x9e14a092e5637597ec8b88af84b4319093da092e\",\"to\":\"0x53b99890e68641374569fabd8f6a27334d041914\",\"data\":\"0xa9059cbb0000000000000000000000002e9a17174d9e77d3802d53929b53e2c5184a741b000000000000000000000000000000000000000000025519f842d814c0893952\",\"gas\":\"0x718d5\",\"gasPrice\":\"0xe111300\"},\"0x1bc9\"]",
                     *           "refused": false
                     *         }
                     *       ],
                     *       "signed": "eyJhbGciOiJFZERTQSIsImtpZCI6InlPa0lXM21CVzlMaDBLNXIwb0hRcWt5YlRYMzE4STBib1JUc0NhUTR1V1EiLCJ0eXAiOiJhc3NheS1nYXRlK2p3cyJ9.eyJpYXQiOjE3NjcyMjU2MDAsImNoYWluSWQiOjcyNzM5MCwicnVsZXMiOnsibWF4Umlza1Njb3JlIjo0OS45OSwibWF4Q2hlY2tBZ2VTZWNvbmRzIjozNjAwLCJtYXhMaXF1aWRpdHlQY3QiOjIsImNhdXRpb25zRnJvbSI6MzAsIm1heFNlbGxUYXhQY3QiOjEwLCJmaW5kaW5ncyI6e30sImNvbmRpdGlvbnMiOnt9fSwiYmxvY2tIYXNoIjoiMHgzMzQ4YzczNDQ1ZTRlZDRkYjNiZTY0YWY4ZjMyY2FiM2U4MTgxYTZhMzgwN2M4ZGQ2Y2NkYzBkNDU4MzllNjcyIiwiZGVjaXNpb24iOiJyZXZpZXciLCJ0b2tlbiI6IjB4NTNiOTk4OTBlNjg2NDEzNzQ1NjlmYWJkOGY2YTI3MzM0ZDA0MTkxNCIsImFjdGlvbiI6ImJ1eSIsImFtb3VudFVzZCI6bnVsbCwicG9saWN5Ijoic3RhbmRhcmQiLCJoZWFkbGluZSI6IlRyYWRlcnMgd2l0aCBhIGdvb2QgcmVjb3JkIGFyZSBnZXR0aW5nIG91dC4iLCJyZWFzb25zIjpbeyJuYW1lIjoic21hcnRfbW9uZXlfZXhpdGluZyIsInRleHQiOiJXYWxsZXRzIHdpdGggYSBnb29kIHJlY29yZCBzb2xkIDc0ICUgb2YgdGhlaXJzIHdpdGhpbiBhIGRheSIsImRlY2lzaW9uIjoicmV2aWV3In1dLCJtaXNzaW5nIjpbIkEgcGFydCBvZiB3aGF0IGl0cyBjb250cmFjdCBhbGxvd3MiXSwicHVsbENoYW5jZTMwZFBjdCI6My4wMiwiYWxpa2UiOnsidG9rZW5zIjoyMjIsInB1bGxlZCI6NDUsInNoYXJlIjowLjIwMjcwMjcwMjcwMjcwMjcxLCJmcm9tIjowLjE1NTA4NDc1MTMyNzI3MjQ1LCJ0byI6MC4yNjA0MzQ3OTg2NTgyMDQwNywicHJvdmVuIjp0cnVlLCJhZ2VIb3VycyI6NzJ9LCJ0cmFja1JlY29yZCI6eyJ0ZXh0IjoiVGhpcyBpbnN0YWxsYXRpb24gaGFzIGp1ZGdlZCBubyB3ZWVrIHNvIGZhciIsImNlbGwiOm51bGx9LCJibG9jayI6NzExMywidGltZSI6IjIwMjUtMTEtMDhUMDg6NTM6MjAuMDAwWiIsImFnZXMiOlt7ImZhY3QiOiJpbmRleCIsImJsb2NrIjo3MTEzLCJzZWNvbmRzIjo0NjMzNjAwfSx7ImZhY3QiOiJzY29yZSIsImJsb2NrIjo3MTEzLCJzZWNvbmRzIjowfSx7ImZhY3QiOiJjaGVjayIsImJsb2NrIjo3MTEzLCJzZWNvbmRzIjowfV0sImNhbGxzIjpbeyJvZiI6InNhbGUiLCJtZXRob2QiOiJldGhfY2FsbCIsInBhcmFtcyI6Ilt7XCJmcm9tXCI6XCIweDllMTRhMDkyZTU2Mzc1OTdlYzhiODhhZjg0YjQzMTkwOTNkYTA5MmVcIixcInRvXCI6XCIweDUzYjk5ODkwZTY4NjQxMzc0NTY5ZmFiZDhmNmEyNzMzNGQwNDE5MTRcIixcImRhdGFcIjpcIjB4YTkwNTljYmIwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAyZTlhMTcxNzRkOWU3N2QzODAyZDUzOTI5YjUzZTJjNTE4NGE3NDFiMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDI1NTE5Zjg0MmQ4MTRjMDg5Mzk1MlwiLFwiZ2FzXCI6XCIweDcxOGQ1XCIsXCJnYXNQcmljZVwiOlwiMHhlMTExMzAwXCJ9LFwiMHgxYmM5XCJdIiwicmVmdXNlZCI6ZmFsc2V9XX0.xMGH1MYB6-cHyu4Rt44cJfvgB3zGoE1I6XdcG32oZPjscFe10pt-9f_xWmixutjGXJdG3Yvaq3xjkeBncVEKDQ"
                     *     }
                     */
                    "application/json": components["schemas"]["Gate"];
                };
            };
            /** @description The answer in If-None-Match is still valid. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["INVALID_PARAMS"];
            401: components["responses"]["UNAUTHORIZED"];
            402: components["responses"]["PAYMENT_REQUIRED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            414: components["responses"]["URI_TOO_LONG"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["SERVER_ERROR"];
            503: components["responses"]["SERVICE_UNAVAILABLE"];
        };
    };
    backtestGate: {
        parameters: {
            query?: {
                /** @description The size of each order in USD; left out: of any size. */
                amount_usd?: number;
                /** @description The rules: standard, strict, or the name of a saved policy. */
                policy?: string;
                /** @description What findings lead to, by their names, topics or kinds, from a severity on: `open_power:block,topic.owner@30:review`; 40 at most. The narrowest rule holds. `risk_score@70:block` is about the score. No rule allows a danger. */
                rules?: string;
                /** @description The age in hours at which each token is asked about, 1 to 24. */
                age_hours?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What the gate would have said of the past month's new tokens. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "summary": "Nothing is known yet: no facts of past blocks are kept.",
                     *       "from": "2025-10-09T08:53:20.000Z",
                     *       "to": "2025-11-08T08:53:20.000Z",
                     *       "age_hours": 1,
                     *       "kept_since": null,
                     *       "exact_since": null,
                     *       "pulled": {
                     *         "tokens": 0,
                     *         "blocked": 0,
                     *         "reviewed": 0,
                     *         "undecided": 0
                     *       },
                     *       "others": {
                     *         "tokens": 0,
                     *         "blocked": 0,
                     *         "reviewed": 0,
                     *         "undecided": 0
                     *       },
                     *       "pulled_before_count": 0,
                     *       "too_young_count": 0,
                     *       "untested": [
                     *         "How grave a finding was, so no caution by its severity and no rule by topic or kind"
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["GateBacktest"];
                };
            };
            /** @description The answer in If-None-Match is still valid. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["INVALID_PARAMS"];
            401: components["responses"]["UNAUTHORIZED"];
            402: components["responses"]["PAYMENT_REQUIRED"];
            403: components["responses"]["FORBIDDEN"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            414: components["responses"]["URI_TOO_LONG"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["SERVER_ERROR"];
            503: components["responses"]["SERVICE_UNAVAILABLE"];
        };
    };
    listWallets: {
        parameters: {
            query?: {
                /** @description The number to order by. */
                sort?: components["schemas"]["WalletOrderField"];
                /** @description In which direction. */
                order?: components["schemas"]["SortDirection"];
                /** @description Only addresses of these kinds. */
                kind?: components["schemas"]["WalletKind"][];
                /** @description Only wallets classified as one of these. */
                classification?: components["schemas"]["Classification"][];
                /** @description Only wallets that traded at this time or later. */
                traded_since?: string;
                /** @description The least reputation, 0-100. */
                min_reputation_score?: number;
                /** @description The least confidence of the reputation. */
                min_confidence?: components["schemas"]["Confidence"];
                /** @description The least realised profit in USD; may be negative. */
                min_realised_usd?: number;
                /** @description The least number of closed positions, 0 or more. */
                min_closed_position_count?: number;
                /** @description The least number of swaps, 0 or more. */
                min_trade_count?: number;
                /** @description The cursor that the items follow. */
                after?: string;
                /** @description The number of the page, from 1. */
                page?: number;
                /** @description The largest number of items per page, from 1; a larger value than 200 counts as 200. */
                limit?: number;
            };
            header?: {
                /** @description The ETag of an answer that you have: 304 if it is the same. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Lists wallets that pass every filter, by reputation, profit or trades. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    "Assay-Block": components["headers"]["Assay-Block"];
                    "Assay-Block-Time": components["headers"]["Assay-Block-Time"];
                    ETag: components["headers"]["ETag"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "address": "0xaf28923abc0e1c2561c8fd89ff096dad4663c471",
                     *           "classification": "smart_money",
                     *           "reputation_score": 74,
                     *           "reputation_confidence": "medium",
                     *           "trade_count": 42,
                     *           "closed_position_count": 8,
                     *           "won_position_count": 8,
                     *           "realised_usd": 14944.116422,
                     *           "realised_this_week_usd": 4170.800002,
                     *           "realised_last_week_usd": 100.346854,
                     *           "first_seen": "2025-10-09T10:38:20.000Z",
                     *           "last_trade_at": "2025-11-07T22:05:56.000Z"
                     *         }
                     *       ],
                     *       "total": 773,
                     *       "page": 1,
                     *       "limit": 50
                     *     }
                     */
                    "application/json": components["schemas"]["WalletPage"];
                    "text/csv": string;
                };
            };
            /** @description The answer in If-None-Match is still valid. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    "Assay-Block": components["headers"]["Assay-Block"];
                    "Assay-Block-Time": components["headers"]["Assay-Block-Time"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["INVALID_PARAMS"];
            401: components["responses"]["UNAUTHORIZED"];
            402: components["responses"]["PAYMENT_REQUIRED"];
            403: components["responses"]["FORBIDDEN"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            414: components["responses"]["URI_TOO_LONG"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["SERVER_ERROR"];
            503: components["responses"]["SERVICE_UNAVAILABLE"];
        };
    };
    getWallet: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of an answer that you have: 304 if it is the same. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The address of the wallet. */
                address: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One wallet with its portfolio. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    "Assay-Block": components["headers"]["Assay-Block"];
                    "Assay-Block-Time": components["headers"]["Assay-Block-Time"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "address": "0xaf28923abc0e1c2561c8fd89ff096dad4663c471",
                     *       "classification": "smart_money",
                     *       "reputation_score": 74,
                     *       "reputation_confidence": "medium",
                     *       "portfolio": [
                     *         {
                     *           "token_address": "0x04eb3a4132ddc628ae4b86aa2f723f9a52372443",
                     *           "token_symbol": "dUSD",
                     *           "quantity": 8421.240602,
                     *           "value_usd": 8421.240602
                     *         }
                     *       ],
                     *       "pnl_estimate_usd": 16238.898852,
                     *       "pnl_confidence": "medium",
                     *       "sector_preference": "uniswap_v2",
                     *       "trade_count": 42,
                     *       "first_seen": "2025-10-09T10:38:20.000Z",
                     *       "results": {
                     *         "d7": {
                     *           "realised_usd": 4170.800002,
                     *           "closed_position_count": 0,
                     *           "won_position_count": 0,
                     *           "win_rate": null
                     *         },
                     *         "d30": {
                     *           "realised_usd": 14944.116422,
                     *           "closed_position_count": 8,
                     *           "won_position_count": 8,
                     *           "win_rate": 1
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Wallet"];
                };
            };
            /** @description The answer in If-None-Match is still valid. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    "Assay-Block": components["headers"]["Assay-Block"];
                    "Assay-Block-Time": components["headers"]["Assay-Block-Time"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["INVALID_PARAMS"];
            401: components["responses"]["UNAUTHORIZED"];
            402: components["responses"]["PAYMENT_REQUIRED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            414: components["responses"]["URI_TOO_LONG"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["SERVER_ERROR"];
            503: components["responses"]["SERVICE_UNAVAILABLE"];
        };
    };
    listWalletEvents: {
        parameters: {
            query?: {
                /** @description Only events of this type; all types if left out. */
                type?: components["schemas"]["EventType"];
                /** @description Only events after this time (exclusive). */
                since?: string;
                /** @description Only events up to this time (inclusive). */
                until?: string;
                /** @description Only events after the one with this `id` in the order of the chain. */
                after?: string;
                /** @description Only events before the one with this `id` in the order of the chain. */
                before?: string;
                /** @description The order of the list: `desc` is newest first, `asc` oldest first. */
                order?: components["schemas"]["SortDirection"];
                /** @description The number of the page, from 1. */
                page?: number;
                /** @description The largest number of items per page, from 1; a larger value than 200 counts as 200. */
                limit?: number;
            };
            header?: {
                /** @description The ETag of an answer that you have: 304 if it is the same. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The address of the wallet. */
                address: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The events of one wallet. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    "Assay-Block": components["headers"]["Assay-Block"];
                    "Assay-Block-Time": components["headers"]["Assay-Block-Time"];
                    ETag: components["headers"]["ETag"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "7046-7-0",
                     *           "type": "swap",
                     *           "token_address": "0x88b2be3066048e07c1c50b770b2d94b5ece6ca94",
                     *           "token_symbol": "WETH",
                     *           "amount_usd": 7440.358329,
                     *           "direction": "sell",
                     *           "timestamp": "2025-11-07T22:05:56.000Z",
                     *           "tx_hash": "0x7510e764c9b8a866fc2ae0e6c95e0aa3a5ac238481a806c48cba4f04478eb657",
                     *           "quantity": 2.37889435929554,
                     *           "price_usd": 3127.65395,
                     *           "pool": "0xf68c3ab51828ad14d7f934e339eb9c9b3f3c537c",
                     *           "counterparty": null,
                     *           "transfer_direction": null
                     *         }
                     *       ],
                     *       "total": 42,
                     *       "page": 1,
                     *       "limit": 50
                     *     }
                     */
                    "application/json": components["schemas"]["WalletEventPage"];
                    "text/csv": string;
                };
            };
            /** @description The answer in If-None-Match is still valid. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    "Assay-Block": components["headers"]["Assay-Block"];
                    "Assay-Block-Time": components["headers"]["Assay-Block-Time"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["INVALID_PARAMS"];
            401: components["responses"]["UNAUTHORIZED"];
            402: components["responses"]["PAYMENT_REQUIRED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            414: components["responses"]["URI_TOO_LONG"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["SERVER_ERROR"];
            503: components["responses"]["SERVICE_UNAVAILABLE"];
        };
    };
    listWalletPositions: {
        parameters: {
            query?: {
                /** @description Which positions. */
                status?: components["schemas"]["PositionStatus"];
                /** @description Their order. */
                sort?: components["schemas"]["PositionOrder"];
                /** @description The number of the page, from 1. */
                page?: number;
                /** @description The largest number of items per page, from 1; a larger value than 200 counts as 200. */
                limit?: number;
            };
            header?: {
                /** @description The ETag of an answer that you have: 304 if it is the same. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The address of the wallet. */
                address: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The tokens that a wallet holds or held, with cost and profit. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    "Assay-Block": components["headers"]["Assay-Block"];
                    "Assay-Block-Time": components["headers"]["Assay-Block-Time"];
                    ETag: components["headers"]["ETag"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "token_address": "0x04eb3a4132ddc628ae4b86aa2f723f9a52372443",
                     *           "token_symbol": "dUSD",
                     *           "quantity": 8421.240602,
                     *           "value_usd": 8421.240602,
                     *           "sellable_usd": 8421.240602,
                     *           "rebasing": null,
                     *           "cost_usd": 0,
                     *           "realised_usd": 0,
                     *           "open_usd": 0,
                     *           "bought_usd": 0,
                     *           "sold_usd": 0,
                     *           "trade_count": 0,
                     *           "net_activity": "accumulating",
                     *           "first_at": "2025-10-20T11:57:20.000Z",
                     *           "last_at": "2025-11-07T22:05:56.000Z"
                     *         }
                     *       ],
                     *       "total": 6,
                     *       "page": 1,
                     *       "limit": 50
                     *     }
                     */
                    "application/json": components["schemas"]["PositionPage"];
                    "text/csv": string;
                };
            };
            /** @description The answer in If-None-Match is still valid. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    "Assay-Block": components["headers"]["Assay-Block"];
                    "Assay-Block-Time": components["headers"]["Assay-Block-Time"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["INVALID_PARAMS"];
            401: components["responses"]["UNAUTHORIZED"];
            402: components["responses"]["PAYMENT_REQUIRED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            414: components["responses"]["URI_TOO_LONG"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["SERVER_ERROR"];
            503: components["responses"]["SERVICE_UNAVAILABLE"];
        };
    };
    listWalletLiquidity: {
        parameters: {
            query?: {
                /** @description The largest number of items, from 1; a larger value than 200 counts as 200. */
                limit?: number;
            };
            header?: {
                /** @description The ETag of an answer that you have: 304 if it is the same. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The address of the wallet. */
                address: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The shares of pools that a wallet holds or held, the most valuable first. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    "Assay-Block": components["headers"]["Assay-Block"];
                    "Assay-Block-Time": components["headers"]["Assay-Block-Time"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": []
                     *     }
                     */
                    "application/json": components["schemas"]["WalletLiquidity"];
                    "text/csv": string;
                };
            };
            /** @description The answer in If-None-Match is still valid. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    "Assay-Block": components["headers"]["Assay-Block"];
                    "Assay-Block-Time": components["headers"]["Assay-Block-Time"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["INVALID_PARAMS"];
            401: components["responses"]["UNAUTHORIZED"];
            402: components["responses"]["PAYMENT_REQUIRED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            414: components["responses"]["URI_TOO_LONG"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["SERVER_ERROR"];
            503: components["responses"]["SERVICE_UNAVAILABLE"];
        };
    };
    listEvents: {
        parameters: {
            query?: {
                /** @description Only events of this type; all types if left out. */
                type?: components["schemas"]["EventType"];
                /** @description Only events after this time (exclusive). */
                since?: string;
                /** @description Only events up to this time (inclusive). */
                until?: string;
                /** @description Only events after the one with this `id` in the order of the chain. */
                after?: string;
                /** @description Only events before the one with this `id` in the order of the chain. */
                before?: string;
                /** @description The order of the list: `desc` is newest first, `asc` oldest first. */
                order?: components["schemas"]["SortDirection"];
                /** @description Only events of this token; empty if it is not indexed. */
                token_address?: string;
                /** @description Only events of this wallet, including transfers to it; empty if it is not indexed. */
                wallet_address?: string;
                /** @description The number of the page, from 1. */
                page?: number;
                /** @description The largest number of items per page, from 1; a larger value than 200 counts as 200. */
                limit?: number;
            };
            header?: {
                /** @description The ETag of an answer that you have: 304 if it is the same. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The events of all tokens and wallets. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    "Assay-Block": components["headers"]["Assay-Block"];
                    "Assay-Block-Time": components["headers"]["Assay-Block-Time"];
                    ETag: components["headers"]["ETag"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "7112-4-0",
                     *           "type": "swap",
                     *           "wallet_address": "0x3341cacb0deb811111e519b6121bc4e834c3d95c",
                     *           "token_address": "0xa0b729574928bd2b74581d296791c52644d8b486",
                     *           "token_symbol": "NEXUS",
                     *           "amount_usd": 573.771188,
                     *           "direction": "buy",
                     *           "timestamp": "2025-11-08T08:51:44.000Z",
                     *           "tx_hash": "0x396b1eb45ae53fc104e66db32a00e2d3113df2ba7bb1518f26575426d8aa6d6a",
                     *           "quantity": 335087.098917116,
                     *           "price_usd": 0.00171230462,
                     *           "pool": "0x620f2e94c141de72b096648b2e996a9581a490b2",
                     *           "counterparty": null
                     *         }
                     *       ],
                     *       "total": 7903,
                     *       "page": 1,
                     *       "limit": 50
                     *     }
                     */
                    "application/json": components["schemas"]["EventPage"];
                    "text/csv": string;
                };
            };
            /** @description The answer in If-None-Match is still valid. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    "Assay-Block": components["headers"]["Assay-Block"];
                    "Assay-Block-Time": components["headers"]["Assay-Block-Time"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["INVALID_PARAMS"];
            401: components["responses"]["UNAUTHORIZED"];
            402: components["responses"]["PAYMENT_REQUIRED"];
            403: components["responses"]["FORBIDDEN"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            414: components["responses"]["URI_TOO_LONG"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["SERVER_ERROR"];
            503: components["responses"]["SERVICE_UNAVAILABLE"];
        };
    };
    getWalletScore: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of an answer that you have: 304 if it is the same. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The address of the wallet. */
                address: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The reputation of a wallet with its dimensions. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    "Assay-Block": components["headers"]["Assay-Block"];
                    "Assay-Block-Time": components["headers"]["Assay-Block-Time"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "address": "0xaf28923abc0e1c2561c8fd89ff096dad4663c471",
                     *       "reputation_score": 74,
                     *       "confidence": "medium",
                     *       "classification": "smart_money",
                     *       "dimensions": {
                     *         "win_rate": 1,
                     *         "entry_timing_score": 72.68,
                     *         "consistency_score": 85.71,
                     *         "risk_drawdown_score": 73.68
                     *       },
                     *       "trade_count": 42,
                     *       "updated_at": "2025-11-07T22:05:56.000Z",
                     *       "contributions": [
                     *         {
                     *           "name": "winRate",
                     *           "value": 89.473684210526,
                     *           "weight": 0.4,
                     *           "contribution": 35.789473684211
                     *         }
                     *       ],
                     *       "unknown": []
                     *     }
                     */
                    "application/json": components["schemas"]["WalletScore"];
                };
            };
            /** @description The answer in If-None-Match is still valid. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    "Assay-Block": components["headers"]["Assay-Block"];
                    "Assay-Block-Time": components["headers"]["Assay-Block-Time"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["INVALID_PARAMS"];
            401: components["responses"]["UNAUTHORIZED"];
            402: components["responses"]["PAYMENT_REQUIRED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            414: components["responses"]["URI_TOO_LONG"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["SERVER_ERROR"];
            503: components["responses"]["SERVICE_UNAVAILABLE"];
        };
    };
    getTokenScore: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of an answer that you have: 304 if it is the same. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The address of the token contract. */
                address: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The risk of a token with its dimensions. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    "Assay-Block": components["headers"]["Assay-Block"];
                    "Assay-Block-Time": components["headers"]["Assay-Block-Time"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "address": "0x53b99890e68641374569fabd8f6a27334d041914",
                     *       "risk_score": 42.99,
                     *       "risk_level": "medium",
                     *       "flags": [
                     *         "smart_money_exiting"
                     *       ],
                     *       "dimensions": {
                     *         "holder_concentration_score": 0,
                     *         "liquidity_stability_score": 100,
                     *         "wash_trade_score": 0,
                     *         "smart_money_flow_score": 12.55
                     *       },
                     *       "top_holder_summary": {
                     *         "early_mover_count": 11,
                     *         "early_mover_net_activity": "distributing",
                     *         "avg_reputation_top10": 51.1
                     *       },
                     *       "updated_at": "2025-11-08T08:53:20.000Z",
                     *       "confidence": "medium",
                     *       "base": 46.05,
                     *       "reasons": [
                     *         {
                     *           "kind": "caution",
                     *           "text": "Wallets with a good record sold 74 % of theirs within a day",
                     *           "points": 41.85
                     *         }
                     *       ],
                     *       "contributions": [
                     *         {
                     *           "name": "liquidity",
                     *           "value": 28.187966,
                     *           "weight": 0.057746,
                     *           "contribution": 1.627742284636
                     *         }
                     *       ],
                     *       "unknown": []
                     *     }
                     */
                    "application/json": components["schemas"]["TokenScore"];
                };
            };
            /** @description The answer in If-None-Match is still valid. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    "Assay-Block": components["headers"]["Assay-Block"];
                    "Assay-Block-Time": components["headers"]["Assay-Block-Time"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["INVALID_PARAMS"];
            401: components["responses"]["UNAUTHORIZED"];
            402: components["responses"]["PAYMENT_REQUIRED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            414: components["responses"]["URI_TOO_LONG"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["SERVER_ERROR"];
            503: components["responses"]["SERVICE_UNAVAILABLE"];
        };
    };
    getMe: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Your plan, its limits, your usage by day and route, and your open streams. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "email": "you@example.com",
                     *       "plan": "api",
                     *       "active_alert_count": 1,
                     *       "limits": {
                     *         "requests_per_minute": null,
                     *         "requests_per_day": null,
                     *         "active_alerts": null,
                     *         "webhooks": true,
                     *         "streams": 100,
                     *         "gate_policies": 50
                     *       },
                     *       "usage": [],
                     *       "open_streams": []
                     *     }
                     */
                    "application/json": components["schemas"]["Me"];
                };
            };
            /** @description The answer in If-None-Match is still valid. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["INVALID_PARAMS"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            414: components["responses"]["URI_TOO_LONG"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["SERVER_ERROR"];
            503: components["responses"]["SERVICE_UNAVAILABLE"];
        };
    };
    listKeys: {
        parameters: {
            query?: {
                /** @description The number of the page, from 1. */
                page?: number;
                /** @description The largest number of items per page, from 1; a larger value than 200 counts as 200. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The keys of your account that work, newest first. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    ETag: components["headers"]["ETag"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "3",
                     *           "name": "Bot",
                     *           "prefix": "assay_live_GlN9",
                     *           "last_four": "iFzY",
                     *           "created_at": "2026-12-01T07:54:08.321Z",
                     *           "last_used_at": null,
                     *           "expires_at": null,
                     *           "is_current": false
                     *         }
                     *       ],
                     *       "total": 2,
                     *       "page": 1,
                     *       "limit": 50
                     *     }
                     */
                    "application/json": components["schemas"]["ApiKeyPage"];
                    "text/csv": string;
                };
            };
            /** @description The answer in If-None-Match is still valid. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["INVALID_PARAMS"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            414: components["responses"]["URI_TOO_LONG"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["SERVER_ERROR"];
            503: components["responses"]["SERVICE_UNAVAILABLE"];
        };
    };
    createKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repeated request safe for 24 h: the same body gets the first answer again, another body 409. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description Makes a key for your account. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Dashboard"
                 *     }
                 */
                "application/json": components["schemas"]["CreateApiKeyInput"];
            };
        };
        responses: {
            /** @description Makes a key for your account. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    Location: components["headers"]["Location"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "4",
                     *       "name": "Dashboard",
                     *       "prefix": "assay_live_DSqF",
                     *       "last_four": "JK2j",
                     *       "created_at": "2026-12-01T07:54:09.085Z",
                     *       "last_used_at": null,
                     *       "expires_at": null,
                     *       "is_current": false,
                     *       "key": "assay_live_Wq3vEjRWeJASNFZ4mrze8BI0VniavN7w12ab"
                     *     }
                     */
                    "application/json": components["schemas"]["NewApiKey"];
                };
            };
            400: components["responses"]["INVALID_PARAMS"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            409: components["responses"]["CONFLICT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            414: components["responses"]["URI_TOO_LONG"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["SERVER_ERROR"];
            503: components["responses"]["SERVICE_UNAVAILABLE"];
        };
    };
    getKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The identifier of the API key. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One key of your account. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "3",
                     *       "name": "Bot",
                     *       "prefix": "assay_live_GlN9",
                     *       "last_four": "iFzY",
                     *       "created_at": "2026-12-01T07:54:08.321Z",
                     *       "last_used_at": null,
                     *       "expires_at": null,
                     *       "is_current": false
                     *     }
                     */
                    "application/json": components["schemas"]["ApiKey"];
                };
            };
            /** @description The answer in If-None-Match is still valid. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["INVALID_PARAMS"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            414: components["responses"]["URI_TOO_LONG"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["SERVER_ERROR"];
            503: components["responses"]["SERVICE_UNAVAILABLE"];
        };
    };
    revokeKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The identifier of the API key. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is deleted. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["INVALID_PARAMS"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            414: components["responses"]["URI_TOO_LONG"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["SERVER_ERROR"];
            503: components["responses"]["SERVICE_UNAVAILABLE"];
        };
    };
    updateKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The identifier of the API key. */
                id: string;
            };
            cookie?: never;
        };
        /** @description Renames a key. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Dashboard"
                 *     }
                 */
                "application/json": components["schemas"]["UpdateApiKeyInput"];
            };
        };
        responses: {
            /** @description Renames a key. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "3",
                     *       "name": "Dashboard",
                     *       "prefix": "assay_live_GlN9",
                     *       "last_four": "iFzY",
                     *       "created_at": "2026-12-01T07:54:08.321Z",
                     *       "last_used_at": null,
                     *       "expires_at": null,
                     *       "is_current": false
                     *     }
                     */
                    "application/json": components["schemas"]["ApiKey"];
                };
            };
            400: components["responses"]["INVALID_PARAMS"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            414: components["responses"]["URI_TOO_LONG"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["SERVER_ERROR"];
            503: components["responses"]["SERVICE_UNAVAILABLE"];
        };
    };
    rotateKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repeated request safe for 24 h: the same body gets the first answer again, another body 409. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The identifier of the API key. */
                id: string;
            };
            cookie?: never;
        };
        /** @description Gives a key a new secret. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "overlap_hours": 0
                 *     }
                 */
                "application/json": components["schemas"]["RotateApiKeyInput"];
            };
        };
        responses: {
            /** @description Gives a key a new secret. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "3",
                     *       "name": "Dashboard",
                     *       "prefix": "assay_live_2AcK",
                     *       "last_four": "6voi",
                     *       "created_at": "2026-12-01T07:54:08.321Z",
                     *       "last_used_at": null,
                     *       "expires_at": null,
                     *       "is_current": false,
                     *       "key": "assay_live_Wq3vEjRWeJASNFZ4mrze8BI0VniavN7w12ab"
                     *     }
                     */
                    "application/json": components["schemas"]["NewApiKey"];
                };
            };
            400: components["responses"]["INVALID_PARAMS"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            409: components["responses"]["CONFLICT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            414: components["responses"]["URI_TOO_LONG"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["SERVER_ERROR"];
            503: components["responses"]["SERVICE_UNAVAILABLE"];
        };
    };
    listAlerts: {
        parameters: {
            query?: {
                /** @description Only alerts of this status; all if left out. */
                status?: components["schemas"]["AlertStatus"];
                /** @description The number of the page, from 1. */
                page?: number;
                /** @description The largest number of items per page, from 1; a larger value than 200 counts as 200. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Your alerts, newest first. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    ETag: components["headers"]["ETag"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "22f354fc-aa0f-4d61-83ad-ba056207cd48",
                     *           "name": "To my bot",
                     *           "status": "active",
                     *           "conditions": {},
                     *           "notification_channel": "webhook",
                     *           "created_at": "2026-01-01T00:00:00.000Z",
                     *           "last_triggered_at": null,
                     *           "url": "https://example.com/hooks/assay"
                     *         }
                     *       ],
                     *       "total": 1,
                     *       "page": 1,
                     *       "limit": 50
                     *     }
                     */
                    "application/json": components["schemas"]["AlertPage"];
                    "text/csv": string;
                };
            };
            /** @description The answer in If-None-Match is still valid. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["INVALID_PARAMS"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            414: components["responses"]["URI_TOO_LONG"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["SERVER_ERROR"];
            503: components["responses"]["SERVICE_UNAVAILABLE"];
        };
    };
    createAlert: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repeated request safe for 24 h: the same body gets the first answer again, another body 409. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description Makes an active alert. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Deep and clean",
                 *       "conditions": {
                 *         "min_liquidity_usd": 200000,
                 *         "exclude_flags": [
                 *           "wash_trading"
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["CreateAlertInput"];
            };
        };
        responses: {
            /** @description Makes an active alert. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    Location: components["headers"]["Location"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "f3f72acc-ed1f-454b-ada7-36d68dbe1e5c",
                     *       "name": "Deep and clean",
                     *       "status": "active",
                     *       "conditions": {
                     *         "min_liquidity_usd": 200000,
                     *         "exclude_flags": [
                     *           "wash_trading"
                     *         ]
                     *       },
                     *       "notification_channel": "email",
                     *       "created_at": "2026-01-01T00:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["NewAlert"];
                };
            };
            400: components["responses"]["INVALID_PARAMS"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            409: components["responses"]["CONFLICT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            414: components["responses"]["URI_TOO_LONG"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["SERVER_ERROR"];
            503: components["responses"]["SERVICE_UNAVAILABLE"];
        };
    };
    backtestAlert: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repeated request safe for 24 h: the same body gets the first answer again, another body 409. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description What an alert would have told in the past month. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "conditions": {
                 *         "min_liquidity_usd": 200000,
                 *         "exclude_flags": [
                 *           "wash_trading"
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["BacktestInput"];
            };
        };
        responses: {
            /** @description What an alert would have told in the past month. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "from": "2025-10-09T08:53:20.000Z",
                     *       "to": "2025-11-08T08:53:20.000Z",
                     *       "kept_since": null,
                     *       "exact_since": null,
                     *       "summary": "Nothing is known yet: alerts have not been matched since the index began.",
                     *       "match_count": 0,
                     *       "followed_count": 0,
                     *       "pulled_count": 0,
                     *       "unsellable_count": 0,
                     *       "priced_after_24h_count": 0,
                     *       "unpriced_after_24h_count": 0,
                     *       "median_change_after_24h_pct": null,
                     *       "median_worst_fall_pct": null,
                     *       "matches": []
                     *     }
                     */
                    "application/json": components["schemas"]["Backtest"];
                };
            };
            400: components["responses"]["INVALID_PARAMS"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            409: components["responses"]["CONFLICT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            414: components["responses"]["URI_TOO_LONG"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["SERVER_ERROR"];
            503: components["responses"]["SERVICE_UNAVAILABLE"];
        };
    };
    getAlert: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The identifier of the alert. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One alert. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "22f354fc-aa0f-4d61-83ad-ba056207cd48",
                     *       "name": "To my bot",
                     *       "status": "active",
                     *       "conditions": {},
                     *       "notification_channel": "webhook",
                     *       "created_at": "2026-01-01T00:00:00.000Z",
                     *       "last_triggered_at": null,
                     *       "url": "https://example.com/hooks/assay"
                     *     }
                     */
                    "application/json": components["schemas"]["Alert"];
                };
            };
            /** @description The answer in If-None-Match is still valid. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["INVALID_PARAMS"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            414: components["responses"]["URI_TOO_LONG"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["SERVER_ERROR"];
            503: components["responses"]["SERVICE_UNAVAILABLE"];
        };
    };
    deleteAlert: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The identifier of the alert. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is deleted. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["INVALID_PARAMS"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            414: components["responses"]["URI_TOO_LONG"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["SERVER_ERROR"];
            503: components["responses"]["SERVICE_UNAVAILABLE"];
        };
    };
    updateAlert: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The identifier of the alert. */
                id: string;
            };
            cookie?: never;
        };
        /** @description Changes an alert. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "status": "paused"
                 *     }
                 */
                "application/json": components["schemas"]["UpdateAlertInput"];
            };
        };
        responses: {
            /** @description Changes an alert. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "22f354fc-aa0f-4d61-83ad-ba056207cd48",
                     *       "name": "To my bot",
                     *       "status": "paused",
                     *       "conditions": {},
                     *       "notification_channel": "webhook",
                     *       "created_at": "2026-01-01T00:00:00.000Z",
                     *       "last_triggered_at": null,
                     *       "url": "https://example.com/hooks/assay"
                     *     }
                     */
                    "application/json": components["schemas"]["Alert"];
                };
            };
            400: components["responses"]["INVALID_PARAMS"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            414: components["responses"]["URI_TOO_LONG"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["SERVER_ERROR"];
            503: components["responses"]["SERVICE_UNAVAILABLE"];
        };
    };
    rotateAlertSecret: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repeated request safe for 24 h: the same body gets the first answer again, another body 409. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The identifier of the alert. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Gives the webhook of an alert a new secret. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "22f354fc-aa0f-4d61-83ad-ba056207cd48",
                     *       "name": "To my bot",
                     *       "status": "paused",
                     *       "conditions": {},
                     *       "notification_channel": "webhook",
                     *       "created_at": "2026-01-01T00:00:00.000Z",
                     *       "last_triggered_at": null,
                     *       "url": "https://example.com/hooks/assay",
                     *       "secret": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
                     *     }
                     */
                    "application/json": components["schemas"]["AlertWithSecret"];
                };
            };
            400: components["responses"]["INVALID_PARAMS"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            409: components["responses"]["CONFLICT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            414: components["responses"]["URI_TOO_LONG"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["SERVER_ERROR"];
            503: components["responses"]["SERVICE_UNAVAILABLE"];
        };
    };
    testAlert: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repeated request safe for 24 h: the same body gets the first answer again, another body 409. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The identifier of the alert. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Sends a test message by the channel of an alert. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "delivered": true,
                     *       "response": "The mail was written to a file."
                     *     }
                     */
                    "application/json": components["schemas"]["AlertTestPayload"];
                };
            };
            400: components["responses"]["INVALID_PARAMS"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            409: components["responses"]["CONFLICT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            414: components["responses"]["URI_TOO_LONG"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["SERVER_ERROR"];
            503: components["responses"]["SERVICE_UNAVAILABLE"];
        };
    };
    listGatePolicies: {
        parameters: {
            query?: {
                /** @description The number of the page, from 1. */
                page?: number;
                /** @description The largest number of items per page, from 1; a larger value than 200 counts as 200. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Your saved policies of the gate, by name. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    ETag: components["headers"]["ETag"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [],
                     *       "total": 0,
                     *       "page": 1,
                     *       "limit": 50
                     *     }
                     */
                    "application/json": components["schemas"]["GatePolicyPage"];
                    "text/csv": string;
                };
            };
            /** @description The answer in If-None-Match is still valid. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["INVALID_PARAMS"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            414: components["responses"]["URI_TOO_LONG"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["SERVER_ERROR"];
            503: components["responses"]["SERVICE_UNAVAILABLE"];
        };
    };
    createGatePolicy: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repeated request safe for 24 h: the same body gets the first answer again, another body 409. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description Saves a policy of the gate. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "careful",
                 *       "rules": "wash_trading:block",
                 *       "conditions": {
                 *         "min_liquidity_usd": 50000
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["CreateGatePolicyInput"];
            };
        };
        responses: {
            /** @description Saves a policy of the gate. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    Location: components["headers"]["Location"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "name": "careful",
                     *       "bounds": "standard",
                     *       "rules": "wash_trading:block",
                     *       "conditions": {
                     *         "min_liquidity_usd": 50000
                     *       },
                     *       "created_at": "2026-01-01T00:00:00.000Z",
                     *       "updated_at": "2026-01-01T00:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["GatePolicy"];
                };
            };
            400: components["responses"]["INVALID_PARAMS"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            409: components["responses"]["CONFLICT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            414: components["responses"]["URI_TOO_LONG"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["SERVER_ERROR"];
            503: components["responses"]["SERVICE_UNAVAILABLE"];
        };
    };
    getGatePolicy: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name of the policy. */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One saved policy of the gate. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "name": "careful",
                     *       "bounds": "standard",
                     *       "rules": "wash_trading:block",
                     *       "conditions": {
                     *         "min_liquidity_usd": 50000
                     *       },
                     *       "created_at": "2026-01-01T00:00:00.000Z",
                     *       "updated_at": "2026-01-01T00:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["GatePolicy"];
                };
            };
            /** @description The answer in If-None-Match is still valid. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["INVALID_PARAMS"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            414: components["responses"]["URI_TOO_LONG"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["SERVER_ERROR"];
            503: components["responses"]["SERVICE_UNAVAILABLE"];
        };
    };
    deleteGatePolicy: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name of the policy. */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is deleted. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["INVALID_PARAMS"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            414: components["responses"]["URI_TOO_LONG"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["SERVER_ERROR"];
            503: components["responses"]["SERVICE_UNAVAILABLE"];
        };
    };
    updateGatePolicy: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name of the policy. */
                name: string;
            };
            cookie?: never;
        };
        /** @description Changes a saved policy of the gate. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "bounds": "strict"
                 *     }
                 */
                "application/json": components["schemas"]["UpdateGatePolicyInput"];
            };
        };
        responses: {
            /** @description Changes a saved policy of the gate. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "name": "careful",
                     *       "bounds": "strict",
                     *       "rules": "wash_trading:block",
                     *       "conditions": {
                     *         "min_liquidity_usd": 50000
                     *       },
                     *       "created_at": "2026-01-01T00:00:00.000Z",
                     *       "updated_at": "2026-01-01T00:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["GatePolicy"];
                };
            };
            400: components["responses"]["INVALID_PARAMS"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            414: components["responses"]["URI_TOO_LONG"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["SERVER_ERROR"];
            503: components["responses"]["SERVICE_UNAVAILABLE"];
        };
    };
    runSql: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description Runs one SELECT over events, candles, scores, tokens and wallets. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "query": "SELECT token_symbol, count(*) AS swaps FROM events GROUP BY ALL ORDER BY swaps DESC LIMIT 10"
                 *     }
                 */
                "application/json": components["schemas"]["SqlInput"];
            };
        };
        responses: {
            /** @description Runs one SELECT over events, candles, scores, tokens and wallets. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "as_of": {
                     *         "block_number": 7113,
                     *         "timestamp": "2025-11-08T08:53:20.000Z"
                     *       },
                     *       "columns": [
                     *         {
                     *           "name": "token_symbol",
                     *           "type": "VARCHAR"
                     *         }
                     *       ],
                     *       "row_count": 1,
                     *       "truncated": false,
                     *       "partial": [],
                     *       "data": [
                     *         {
                     *           "token_symbol": "",
                     *           "swaps": 63
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["SqlAnswer"];
                };
            };
            400: components["responses"]["INVALID_PARAMS"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            409: components["responses"]["CONFLICT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            414: components["responses"]["URI_TOO_LONG"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["SERVER_ERROR"];
            503: components["responses"]["SERVICE_UNAVAILABLE"];
        };
    };
    streamEvents: {
        parameters: {
            query?: {
                /** @description Only events of this type; all types if left out. */
                type?: components["schemas"]["EventType"];
                /** @description Events after this cursor, or after the event with this id; if left out, events from now on. */
                after?: string;
                /** @description Only events of this token; empty if it is not indexed. */
                token_address?: string;
                /** @description Only events of this wallet, including transfers to it; empty if it is not indexed. */
                wallet_address?: string;
                /** @description Only events of wallets that are classified as one of these when the event is sent. A retraction comes whatever the class is then: ignore one for an event that you never received. */
                wallet_classification?: components["schemas"]["Classification"][];
                /** @description Only events of at least this value in USD, such as 1000; 0 or more. */
                min_amount_usd?: number;
                /** @description Only events after this time (exclusive). */
                since?: string;
                /** @description Only events at this time or later. */
                from?: string;
                /** @description Only events at this time or earlier. */
                to?: string;
                /** @description Only events of the block with this number or later ones. */
                from_block?: number;
                /** @description Only events of the block with this number or earlier ones. */
                to_block?: number;
                /** @description A ticket of POST /stream/ticket, in place of the header Authorization. It is used up by this request. */
                ticket?: string;
            };
            header?: {
                /** @description The `id` of the last message, which browsers send when they connect again; it overrides `after`. */
                "Last-Event-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The stream. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example retry: 3000
                     *     id: 5661-11-0.3
                     *     : welcome
                     *
                     *     data: {"id":"5661-12-0","type":"swap","wallet_address":"0x084f1161d951edfd366eca2b01a278f46d67733b","token_address":"0x53b99890e68641374569fabd8f6a27334d041914","token_symbol":"EXODUS","amount_usd":1390.8,"direction":"buy","timestamp":"2025-11-08T08:53:20.000Z","tx_hash":"0x5ce2d520baf944ebd2ae18a21d9ef8ea3d5a5da33bd23c2fb484241edbb55224","quantity":1069846.1,"price_usd":0.0013,"pool":"0x2e9a17174d9e77d3802d53929b53e2c5184a741b","counterparty":null,"retracted":false}
                     *     id: 5661-12-0.3
                     */
                    "text/event-stream": string;
                };
            };
            /** @description Every block of the filter is final, and nothing is left to send: do not connect again. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["INVALID_PARAMS"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            414: components["responses"]["URI_TOO_LONG"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["SERVER_ERROR"];
            503: components["responses"]["SERVICE_UNAVAILABLE"];
        };
    };
    streamTokens: {
        parameters: {
            query?: {
                /** @description The order of the list. */
                sort?: components["schemas"]["ScreenSort"];
                /** @description The least liquidity in USD, 0 or more. */
                min_liquidity_usd?: number;
                /** @description The largest market cap in USD, 0 or more. A token with an unknown cap counts as 0 here; a least cap excludes it. */
                max_market_cap_usd?: number;
                /** @description The smallest market cap in USD, 0 or more. */
                min_market_cap_usd?: number;
                /** @description The highest risk score, 0-100. */
                max_risk_score?: number;
                /** @description Excludes tokens with any of these flags. */
                exclude_flags?: components["schemas"]["RiskFlag"][];
                /** @description The least growth of the number of holders over the past hour in percent; may be negative. */
                min_holder_growth_1h_pct?: number;
                /** @description The greatest age in hours, 0 or more. */
                max_age_hours?: number;
                /** @description The least share of snipers in the supply, in percent, 0-100. A token whose share is unknown is left out. */
                min_sniper_held_pct?: number;
                /** @description The largest share of snipers in the supply, in percent, 0-100. A token whose share is unknown is left out. */
                max_sniper_held_pct?: number;
                /** @description The least share of bundled wallets in the supply, in percent, 0-100. A token whose share is unknown is left out. */
                min_bundler_held_pct?: number;
                /** @description The largest share of bundled wallets in the supply, in percent, 0-100. A token whose share is unknown is left out. */
                max_bundler_held_pct?: number;
                /** @description The least share of insiders in the supply, in percent, 0-100. A token whose share is unknown is left out. */
                min_insider_held_pct?: number;
                /** @description The largest share of insiders in the supply, in percent, 0-100. A token whose share is unknown is left out. */
                max_insider_held_pct?: number;
                /** @description The least share of the developer in the supply, in percent, 0-100. A token whose share is unknown is left out. */
                min_developer_held_pct?: number;
                /** @description The largest share of the developer in the supply, in percent, 0-100. A token whose share is unknown is left out. */
                max_developer_held_pct?: number;
                /** @description The least share of fresh wallets in the supply, in percent, 0-100. A token whose share is unknown is left out. */
                min_fresh_held_pct?: number;
                /** @description The largest share of fresh wallets in the supply, in percent, 0-100. A token whose share is unknown is left out. */
                max_fresh_held_pct?: number;
                /** @description How many tokens of the list, 200 at most; 50 if left out. */
                limit?: number;
                /** @description What changed after this cursor; the whole list if left out. */
                after?: string;
                /** @description A ticket of POST /stream/ticket, in place of the header Authorization. It is used up by this request. */
                ticket?: string;
            };
            header?: {
                /** @description The `id` of the last message, which browsers send when they connect again; it overrides `after`. */
                "Last-Event-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The stream. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example retry: 3000
                     *     : welcome
                     *
                     *     data: {"block_number":5661,"block_hash":"0x5ce2d520baf944ebd2ae18a21d9ef8ea3d5a5da33bd23c2fb484241edbb55224","reset":false,"retracted":false,"left":["0x53b99890e68641374569fabd8f6a27334d041914"],"placed":[]}
                     *     id: 5661.5ce2d520.90ab12cd34ef5678
                     */
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["INVALID_PARAMS"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            414: components["responses"]["URI_TOO_LONG"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["SERVER_ERROR"];
            503: components["responses"]["SERVICE_UNAVAILABLE"];
        };
    };
    createStreamTicket: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The ticket. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "ticket": "assay_ticket_Wq3vEjRWeJASNFZ4mrze8BI0VniavN7w12ab",
                     *       "expires_at": "2025-11-08T08:54:20.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["StreamTicket"];
                };
            };
            400: components["responses"]["INVALID_PARAMS"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            414: components["responses"]["URI_TOO_LONG"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["SERVER_ERROR"];
            503: components["responses"]["SERVICE_UNAVAILABLE"];
        };
    };
    signUp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description Asks for a mail with a link that gives a key. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": "you@example.com"
                 *     }
                 */
                "application/json": components["schemas"]["SignupInput"];
            };
        };
        responses: {
            /** @description Asks for a mail with a link that gives a key. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "If the address can get one, a mail with a link is on its way."
                     *     }
                     */
                    "application/json": components["schemas"]["SignupAnswer"];
                };
            };
            400: components["responses"]["INVALID_PARAMS"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            414: components["responses"]["URI_TOO_LONG"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["SERVER_ERROR"];
            503: components["responses"]["SERVICE_UNAVAILABLE"];
        };
    };
    confirmSignup: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description Uses the link of a mail up, and answers a key. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "token": "kM3vQ0Zb2yq1cXw8dN5rT7uJ4hF6gS9aLpEoVxBnIiY"
                 *     }
                 */
                "application/json": components["schemas"]["SignupToken"];
            };
        };
        responses: {
            /** @description Uses the link of a mail up, and answers a key. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "key": "assay_live_Wq3vEjRWeJASNFZ4mrze8BI0VniavN7w12ab",
                     *       "key_id": "12",
                     *       "email": "you@example.com",
                     *       "plan": "free",
                     *       "expires_at": null
                     *     }
                     */
                    "application/json": components["schemas"]["SignupKey"];
                };
            };
            400: components["responses"]["INVALID_PARAMS"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            414: components["responses"]["URI_TOO_LONG"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["SERVER_ERROR"];
            503: components["responses"]["SERVICE_UNAVAILABLE"];
        };
    };
    receiveAlertTest: {
        parameters: {
            query?: never;
            header: {
                /** @description The identifier of the message. */
                "webhook-id": string;
                /** @description The time of this attempt, in seconds since 1970. */
                "webhook-timestamp": string;
                /** @description A signature of each valid secret: Standard Webhooks, version 1. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description The owner of an alert tests its webhook. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["TestMessage"];
            };
        };
        responses: {
            /** @description The receiver is gone for good: its alert is paused. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The receiver has the message. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveAlertMatched: {
        parameters: {
            query?: never;
            header: {
                /** @description The identifier of the message. */
                "webhook-id": string;
                /** @description The time of this attempt, in seconds since 1970. */
                "webhook-timestamp": string;
                /** @description A signature of each valid secret: Standard Webhooks, version 1. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description Tokens began to match an alert. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["MatchedMessage"];
            };
        };
        responses: {
            /** @description The receiver is gone for good: its alert is paused. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The receiver has the message. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveEvents: {
        parameters: {
            query?: never;
            header: {
                /** @description The identifier of the message. */
                "webhook-id": string;
                /** @description The time of this attempt, in seconds since 1970. */
                "webhook-timestamp": string;
                /** @description A signature of each valid secret: Standard Webhooks, version 1. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description Events of a followed token or wallet. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["EventsMessage"];
            };
        };
        responses: {
            /** @description The receiver is gone for good: its alert is paused. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The receiver has the message. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
