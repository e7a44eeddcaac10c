/** Users who sign in with providers on the hosted pages, with a scripted provider. */
import assert from 'node:assert/strict'
import { AdminService } from '../../contract/gen/signet/admin/v1/admin_pb.ts'
import {
  type ExternalProof,
  findPerson,
  finishProviderSignIn,
  type Person,
  readExternalAccount,
  registerWithExternalAccount,
  signInWithProvider,
  startProviderSignIn,
} from '../../src/features/sign-in/index.ts'
import { type HumanUser, users } from '../../src/features/users/index.ts'
import type { TestEngine } from './engines.ts'
import { BOSS, openProviderScene } from './provider-scene.ts'
import type { ProviderSettings } from './provider-world.ts'

export const CLIENT = { host: 'id.example', description: 'Firefox, Linux' }
/** The administrator in the second organization. */
export const SOUTH = { ...BOSS, organizationId: 'south' }
/** The data of a new user, besides username and address. */
export const NEW = { firstName: 'Ada', lastName: 'King', language: 'de' }

const URLS = { successUrl: 'https://id.example/ui/login/external', failureUrl: 'https://id.example/no' }
const BROWSER = 'b'.repeat(43)

/** Opens the scene; the first organization is `north`. */
export async function openExternalScene(engine: TestEngine) {
  const scene = await openProviderScene(engine)
  const { app, store, call } = scene.world
  let providers = 0

  const start = (idpId: string, organizationId?: string) =>
    startProviderSignIn(app, { source: '192.0.2.1', idpId, organizationId, browser: BROWSER, ...URLS })

  /** From the button to the URL that the browser is redirected to. */
  const comeTo = async (idpId: string, browser: string | undefined, organizationId?: string) => {
    const started = await start(idpId, organizationId)
    if (started.outcome !== 'started') return assert.fail(started.outcome)
    const finished = await finishProviderSignIn(app, { parameters: scene.provider.answer(started.next.url), browser })
    return finished.type === 'redirect' ? new URL(finished.url).searchParams : assert.fail(finished.type)
  }

  /** The parameters that the browser brings back. */
  const come = async (idpId: string, organizationId?: string): Promise<ExternalProof> => {
    const parameters = await comeTo(idpId, BROWSER, organizationId)
    assert.equal(parameters.get('error'), null)
    return { intentId: parameters.get('id') ?? '', token: parameters.get('token') ?? '', browser: BROWSER }
  }

  const enter = async (proof: ExternalProof, userId: string, before?: string) => {
    const entered = await signInWithProvider(app, { proof, userId, client: CLIENT, before })
    if (entered.outcome !== 'done') return assert.fail(entered.outcome)
    const person = (await findPerson(app, entered.token)) ?? assert.fail('nobody is signed in')
    return { token: entered.token, person }
  }

  return {
    ...scene,
    app,
    start,
    comeTo,
    come,
    enter,
    async read(proof: ExternalProof, person?: Person, visitedId?: string) {
      const account = await readExternalAccount(app, proof, person, visitedId)
      return account.outcome === 'read' ? account : assert.fail(account.outcome)
    },
    /** Registers a new user with an account at the provider, and signs them in. */
    async join(idpId: string, userName: string) {
      const proof = await come(idpId)
      const made = await registerWithExternalAccount(app, proof, {
        ...NEW,
        userName,
        email: `${userName}@corp.example`,
      })
      if (made.outcome !== 'done') return assert.fail(JSON.stringify(made))
      return { userId: made.userId, ...(await enter(proof, made.userId)) }
    },
    stateOf: async (userId: string) => (await store.get(users, userId))?.state as HumanUser,
    async addToInstance(settings: ProviderSettings = {}): Promise<string> {
      const provider = {
        name: `of the instance ${++providers}`,
        issuer: scene.provider.issuer,
        clientId: 'signet-client',
        clientSecret: 'a secret: 1+1=2',
        providerOptions: { isLinkingAllowed: true, isCreationAllowed: true, ...settings },
      }
      return (await call(AdminService.method.addGenericOIDCProvider, provider, BOSS)).id
    },
  }
}

export type ExternalScene = Awaited<ReturnType<typeof openExternalScene>>
