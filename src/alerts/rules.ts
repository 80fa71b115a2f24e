// When an alert sends mails (contract, section 7).

/** After a token stops matching an alert, it must stay out this long before it can trigger the alert again. */
export const REARM_SECONDS = 600

/** At most one mail or call per alert in this time; a chat has a pace of its own besides. */
export const COOL_DOWN = { seconds: 300, chatSeconds: 60 }
