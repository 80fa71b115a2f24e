// Which wallets connect no others: services, and senders or receivers of airdrops. Scores and answers read it by the
// same conditions. In each, `w` is a row of the table wallet.
import { LINK_KIND_ID } from '../base/vocabulary.ts'
import { IS_SERVICE } from './labels.ts'

const isMoreThan = (most: number, rows: string): string =>
  `(SELECT count(*) FROM (SELECT FROM ${rows} LIMIT ${most + 1}) x) > ${most}`

/** Whether it is no account, a labelled service, or linked to more than so many wallets. */
export const whereService = (hubLinks: number): string =>
  `(w.kind <> 'account' OR ${IS_SERVICE} OR ${isMoreThan(hubLinks, 'link WHERE to_id = w.id')}
    OR ${isMoreThan(hubLinks, 'wallet WHERE first_funder_id = w.id')})`

/** Whether it sent tokens to, or received them from, more than so many wallets. */
export const whereCrowded = (crowdLinks: number): string =>
  `(${isMoreThan(crowdLinks, `link WHERE to_id = w.id AND kind = ${LINK_KIND_ID.token}`)}
    OR ${isMoreThan(crowdLinks, `link WHERE from_id = w.id AND kind = ${LINK_KIND_ID.token}`)})`

/** Whether one wallet sent the other native coin. */
export const wherePaid = (fromId: string, toId: string): string =>
  `EXISTS (SELECT FROM link l WHERE l.from_id = ${fromId} AND l.to_id = ${toId} AND l.kind = ${LINK_KIND_ID.native})`
