/**
 * Registration tokens: with one, clients register for a project. A token is a document, a child of whoever made it, so it ends
 * with them: when they are locked, deactivated or removed, or when their organization is closed, also if that is undone.
 */
import { matchesHash, registrationTokenTexts } from '../../../crypto/tokens.ts'
import { accept, type Decider, refuse } from '../../../kernel/decider.ts'
import type { Generations } from '../../../kernel/generations.ts'
import { type Instant, instant } from '../../../kernel/instant.ts'
import type { App } from '../../../module/app.ts'
import { type Document, kind, type Origin, type Reader, type Retention } from '../../../store/index.ts'
import { endingsOf } from '../../generations/index.ts'
import { activeProject, type LivingProject } from '../../projects/index.ts'
import { activePerson } from '../../users/index.ts'
import { type RegistrationTokenEvent, registrationTokenEvents, type SecretHash } from '../events.ts'
import { type ApplicationRefusal, applicationRefusals } from '../refusals.ts'
import { registeredClientRetirements } from './registered-clients.ts'

const HOUR_MS = 3_600_000
/** How long a registration token counts. */
const LIFETIME_MS = 24 * HOUR_MS

interface IssuedToken {
  readonly projectId: string
  readonly maker: { readonly userId: string; readonly organizationId: string }
  readonly generations: Generations<'user' | 'organization'>
  readonly secret: SecretHash
  readonly expiresAt: Instant
}

type State = { readonly status: 'unknown' } | ({ readonly status: 'issued' } & IssuedToken)

const registrationToken: Decider<IssuedToken, State, RegistrationTokenEvent, ApplicationRefusal> = {
  initial: { status: 'unknown' },
  evolve: (_, { data }) => ({ status: 'issued', ...data }),
  decide: (issued, state) =>
    state.status === 'unknown'
      ? accept({ type: 'registration_token.issued.v1', data: issued })
      : refuse('application.registration_token_invalid'),
}

/** The owner is the organization of the project. */
export const registrationTokens = kind({
  name: 'registration-token',
  ids: 'own',
  waits: { endsWith: ['user', 'organization'] },
  path: false,
  version: 1,
  events: registrationTokenEvents,
  decider: registrationToken,
  refusals: applicationRefusals,
  fields: {
    projectId: { path: ['projectId'], type: 'text' },
    expiresAt: { path: ['expiresAt'], type: 'number' },
  },
  limits: [{ things: 'registration tokens', holder: 'a project', by: ['projectId'], number: 1_000 }],
  removable: true,
})

const endings = endingsOf(registrationTokens)

export const registrationTokenRetention: Retention<State> = {
  kind: registrationTokens,
  records: registeredClientRetirements,
  retentionMs: HOUR_MS,
  batchSize: 200,
  findEnded: (store, endedBy, limit) =>
    store.findIds(registrationTokens, { field: 'expiresAt', atMost: endedBy }, limit),
  hasEnded: ({ state }, endedBy) => state.status === 'issued' && state.expiresAt <= endedBy,
}

/** Makes a token for a project. It is shown once and not stored. */
export async function newRegistrationToken(
  app: App,
  origin: Origin,
  project: Document<LivingProject>,
  { userId, organizationId }: IssuedToken['maker'],
) {
  const maker = { userId, organizationId }
  const id = app.newId()
  const { text: token, hash } = registrationTokenTexts.issue(id)
  const expiresAt = instant(origin.at + LIFETIME_MS)
  await app.store.write(origin, async (work) => {
    const generations = await endings.now(work, maker)
    const issued = { projectId: project.id, maker, generations, secret: { hash }, expiresAt }
    await work.begin(registrationTokens, id, issued, project.owner)
  })
  return { token, expiresAt }
}

/** The project of a token, if both count now. */
export async function projectOfToken(
  app: App,
  token: string,
  at: Instant,
  reader: Reader,
): Promise<Document<LivingProject> | undefined> {
  const parsed = registrationTokenTexts.parse(token)
  if (parsed === undefined) return undefined
  const state = (await reader.get(registrationTokens, parsed.tokenId))?.state
  if (state?.status !== 'issued' || state.expiresAt <= at) return undefined
  if (!matchesHash(parsed.secret, state.secret.hash)) return undefined
  const { maker, generations, projectId } = state
  const [person, isCurrent, project] = await Promise.all([
    activePerson(reader, maker.userId, maker.organizationId),
    endings.isCurrent(reader, maker, generations),
    activeProject(app, projectId, reader),
  ])
  return person !== undefined && isCurrent && project?.state.allowsRegisteredClients === true ? project : undefined
}
