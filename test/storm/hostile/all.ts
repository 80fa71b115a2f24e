// Every attack, in the order in which they run: those of one setting together.
import { type Attack, SETTINGS } from './attack.ts'
import { graphqlAttacks } from './graphql.ts'

const listed: Attack[] = [...graphqlAttacks]

export const ATTACKS: Attack[] = SETTINGS.flatMap((setting) =>
  listed.filter((attack) => (attack.setting ?? 'plain') === setting),
)
