// Reads the clusters among tokens' wallets, and the blocks of the transfers that link two wallets.
import { LINK_KIND_ID } from '../../base/vocabulary.ts'
import type { ClusterLink, ClusterMap } from '../clusters.ts'
import { type Reading, readLists } from './consistent-read.ts'

export interface ClusterMapRow {
  /** Of the token. */
  id: number
  clusters: ClusterMap
}

/** The clusters of the tokens where they are known, in any order. */
export const readClusterMaps = (reading: Reading, ids: readonly number[]): Promise<ClusterMapRow[]> =>
  reading.query({
    name: 'clusters',
    text: `SELECT token_id AS id, clusters::json AS clusters FROM token_score
      WHERE token_id = ANY ($1::int[]) AND clusters IS NOT NULL`,
    values: [ids],
  })

/** The block of the first transfer of each link, in the order of the links; none for a link that is no transfer. */
export const readLinkBlocks = (reading: Reading, links: readonly ClusterLink[]): Promise<{ blockNumber: number }[][]> =>
  readLists(reading, links.length, {
    name: 'link blocks',
    text: `SELECT k.key, l.block_number AS "blockNumber"
      FROM unnest($1::int[], $2::int[], $3::int[]) WITH ORDINALITY AS k (from_id, to_id, kind, key)
      JOIN link l ON l.from_id = k.from_id AND l.to_id = k.to_id AND l.kind = k.kind ORDER BY k.key`,
    values: [
      links.map(({ fromId }) => fromId),
      links.map(({ toId }) => toId),
      links.map(({ kind }) => (kind === 'native' || kind === 'token' ? LINK_KIND_ID[kind] : 0)),
    ],
  })
