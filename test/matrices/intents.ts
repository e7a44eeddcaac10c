/** Sign-ins at an identity provider that succeeded: rows of the matrix of things that count once. */
import { AdminService } from '../../contract/gen/signet/admin/v1/admin_pb.ts'
import { hashSecret } from '../../src/crypto/tokens.ts'
import { intents } from '../../src/features/sign-in-intents/index.ts'
import { newId } from '../../src/kernel/id.ts'
import { instant } from '../../src/kernel/instant.ts'
import { upstreamMetadata } from '../support/response-forger.ts'
import { userCheck, v2 } from '../support/session-world.ts'
import { type Artefact, none, type Row } from './artefact.ts'
import { type Node, type Scene, users } from './scene.ts'

const HOUR = 3_600_000
const PROVIDER = {
  name: 'Provider',
  issuer: 'http://127.0.0.1:1',
  clientId: 'client',
  clientSecret: 'secret',
  providerOptions: { isLinkingAllowed: true },
}

export interface Intent {
  readonly intentId: string
  readonly token: string
}

const providers = new WeakMap<object, Promise<string>>()

/** The one provider of a scene, of the instance. */
function providerOf({ store, call, owner }: Scene): Promise<string> {
  const known = providers.get(store)
  if (known !== undefined) return known
  const added = call(AdminService.method.addGenericOIDCProvider, PROVIDER, owner).then(({ id }) => id)
  providers.set(store, added)
  return added
}

/** What adds a SAML provider. */
export const SAML_PROVIDER = {
  name: 'SAML',
  metadata: { case: 'metadataXml', value: Buffer.from(upstreamMetadata('https://upstream.example')) },
} as const

/** Links a person to an account at the provider, and lets them succeed there, as if the browser had come back. */
export async function succeedAtProvider(scene: Scene, userId: string): Promise<Intent> {
  const { call, owner, store, clock, defaultOrganizationId: organizationId, app } = scene
  const idpId = await providerOf(scene)
  const [intentId, token, account] = [newId(), `token-${newId()}`, `account of ${userId}`]
  await call(users.addIDPLink, { userId, idpLink: { idpId, userId: account, userName: account } }, owner)
  const at = clock.now
  const expiresAt = instant(at + HOUR)
  await store.write({ actor: 'visitor', at }, async (work) => {
    const urls = { successUrl: 'https://app.example/in', failureUrl: 'https://app.example/no' }
    const place = { kind: intents.name, id: intentId, member: 'identity' }
    const identity = await app.vault.seal(work, place, JSON.stringify({ claims: {}, accessToken: 'a' }))
    const secret = { state: hashSecret(newId()), handshake: '' }
    const start = { type: 'start', idpId, organizationId, ...urls, expiresAt, secret } as const
    await work.decide(intents, intentId, start, scene.instanceId)
    await work.decide(intents, intentId, { type: 'answer', at, isSameBrowser: true })
    await work.decide(intents, intentId, {
      type: 'succeed',
      externalUserId: account,
      externalUserName: account,
      userId,
      expiresAt,
      secret: { token: hashSecret(token), identity },
    })
  })
  return { intentId, token }
}

const ROW: Row = {
  reuse: 'intent.not_succeeded',
  losers: ['intent.not_succeeded'],
  otherUser: 'intent.other_user',
  otherSession: none('it is good in whichever session of the person is first'),
  // The token of one sign-in for another one.
  otherPurpose: 'intent.token_wrong',
  expired: 'intent.expired',
  // A token cannot be guessed, and nobody may keep others from signing in.
  afterFailures: ['passes', 'passes'],
  afterDeactivation: 'session.user_not_active',
}

function intent(manner: 'SetSession' | 'CreateSession' | 'Retrieve', way: string, row: Row): Artefact {
  return {
    name: 'sign-in at an identity provider',
    way,
    row,
    async issue(scene) {
      const [userId, other] = [await scene.addHuman(), await scene.addHuman()]
      const otherIntent = await succeedAtProvider(scene, other)
      const own = await succeedAtProvider(scene, userId)
      const prove = async (on: Node, whose: string, { intentId, token }: Intent) => {
        const intentCheck = { intent: { intentId, token } }
        if (manner === 'CreateSession') {
          return on.call(v2.createSession, { checks: { ...userCheck({ userId: whose }), ...intentCheck } }, scene.login)
        }
        const sessionId = await scene.openSession(whose)
        return on.call(v2.setSession, { sessionId, checks: intentCheck }, scene.login)
      }
      const retrieve = (on: Node, { intentId, token }: Intent) =>
        on.call(users.retrieveIdentityProviderIntent, { idpIntentId: intentId, idpIntentToken: token }, scene.nobody)
      const show = (on: Node, shown: Intent): Promise<unknown> =>
        manner === 'Retrieve' ? retrieve(on, shown) : prove(on, userId, shown)
      return {
        userId,
        lifetimeMs: HOUR,
        use: (on) => show(on, own),
        spend: (on) => prove(on, userId, own),
        fail: (on) => show(on, { ...own, token: 'wrong' }),
        forOtherUsers: [() => prove(scene.there, other, own)],
        forOtherPurposes: [() => show(scene.there, { ...otherIntent, token: own.token })],
      }
    },
  }
}

/** All of them. */
export const intentArtefacts: readonly Artefact[] = [
  intent('SetSession', 'SetSession checks.intent.token', ROW),
  intent('CreateSession', 'CreateSession checks.intent.token', ROW),
  intent('Retrieve', 'RetrieveIdentityProviderIntent idpIntentToken', {
    ...ROW,
    losers: none('reading uses nothing up'),
    otherUser: none('it says who it was, to whoever has the token'),
    // What the provider told was told; it signs nobody in.
    afterDeactivation: 'passes',
  }),
]
