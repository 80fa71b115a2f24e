// All attacks in the order in which they run, grouped by setting.
import { accessAttacks } from './access.ts'
import { type Attack, SETTINGS } from './attack.ts'
import { backendAttacks } from './backends.ts'
import { bodyAttacks } from './bodies.ts'
import { floodAttacks } from './floods.ts'
import { graphqlAttacks } from './graphql.ts'
import { headAttacks } from './heads.ts'
import { leavingAttacks } from './leaving.ts'
import { nodeAttacks } from './nodes.ts'
import { protocolAttacks } from './protocol.ts'
import { receiverAttacks } from './receivers.ts'
import { signupAttacks } from './signups.ts'
import { socketAttacks } from './sockets.ts'
import { streamAttacks } from './streams.ts'
import { tlsAttacks } from './tls.ts'
import { wordAttacks } from './words.ts'

/** No attack: measures the honest client on an idle machine. */
const calm: Attack = { name: 'no attack', run: async () => {} }

const listed: Attack[] = [
  calm,
  ...graphqlAttacks,
  ...socketAttacks,
  ...streamAttacks,
  ...protocolAttacks,
  ...headAttacks,
  ...bodyAttacks,
  ...floodAttacks,
  ...accessAttacks,
  ...signupAttacks,
  ...wordAttacks,
  ...tlsAttacks,
  ...backendAttacks,
  ...receiverAttacks,
  ...nodeAttacks,
  ...leavingAttacks,
]

export const ATTACKS: Attack[] = SETTINGS.flatMap((setting) =>
  listed.filter((attack) => (attack.setting ?? 'plain') === setting),
)
