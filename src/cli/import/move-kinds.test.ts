/** Kinds beside users and applications: keys, settings, texts, providers, roles, metadata and pictures. */
import assert from 'node:assert/strict'
import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { after, before, suite, test } from 'node:test'
import { AuthService } from '../../../contract/gen/signet/auth/v1/auth_pb.ts'
import {
  dates,
  humanDraft,
  machineDraft,
  NEVER,
  ORGANIZATION,
  organizationDraft,
  projectDraft,
  sourceOf,
} from '../../../test/support/drafts.ts'
import { bothEngines } from '../../../test/support/engines.ts'
import { encryptToken, TOKEN_KEY } from '../../../test/support/foreign-token.ts'
import { openWorld, type World } from '../../../test/support/world.ts'
import { authorizations } from '../../features/authorizations/index.ts'
import { listIdentityLinks } from '../../features/identity-links/index.ts'
import { identityProviders, providerSecrets } from '../../features/identity-providers/index.ts'
import { smtpConfigs } from '../../features/mail/index.ts'
import { memberships } from '../../features/memberships/index.ts'
import { findMetadata } from '../../features/metadata/index.ts'
import { settings } from '../../features/settings/index.ts'
import { users } from '../../features/users/index.ts'
import { publicKeys, signingKey } from '../../features/web-keys/index.ts'
import { instant } from '../../kernel/instant.ts'
import type { AnyDraft } from './draft.ts'
import { runMove } from './move.ts'

const MACHINE = '44444444444444444'
const owned = { ...dates, organizationId: ORGANIZATION }
const ofInstance = { ...dates, organizationId: '' }
const webKey = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' })
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

const drafts: readonly AnyDraft[] = [
  { ...ofInstance, kind: 'token-key', id: 'oidcKey', key: TOKEN_KEY.toString('base64url') },
  { ...ofInstance, kind: 'web-key', id: '66666666666666666', state: 'active', key: { ...webKey, alg: 'ES256' } },
  organizationDraft(),
  {
    ...owned,
    kind: 'settings',
    id: 'lockout',
    section: 'lockout',
    values: { maxPasswordAttempts: 7, maxOtpAttempts: 8 },
  },
  {
    ...ofInstance,
    kind: 'settings',
    id: '77777777777777777',
    section: 'smtp',
    values: {
      senderAddress: 'mail@moved.example',
      senderName: 'Moved',
      replyToAddress: '',
      tls: true,
      host: 'smtp.moved.example:587',
      user: 'mail',
      description: '',
      password: 'secret',
      isActive: true,
    },
  },
  {
    ...owned,
    kind: 'text',
    id: 'verify_email/en',
    target: 'mail',
    messageType: 'verify_email',
    language: 'en',
    texts: { subject: 'Please confirm' },
  },
  {
    ...owned,
    kind: 'text',
    id: 'verify_email/tlh',
    target: 'mail',
    messageType: 'verify_email',
    language: 'tlh',
    texts: { subject: 'x' },
  },
  {
    ...owned,
    kind: 'identity-provider',
    id: '88888888888888888',
    name: 'Upstream',
    isActive: true,
    type: 'oidc',
    clientId: 'client',
    clientSecret: 'upstream-secret',
    values: {
      issuer: 'https://login.upstream.example',
      scopes: ['openid'],
      options: {
        isLinkingAllowed: true,
        isCreationAllowed: true,
        isAutoCreation: false,
        isAutoUpdate: false,
        autoLinking: 'none',
      },
    },
  },
  projectDraft(),
  humanDraft({
    links: [{ providerId: '88888888888888888', userId: 'ada-there', userName: 'ada' }],
    recoveryCodes: [],
  }),
  humanDraft({
    id: '33333333333333334',
    userName: 'bob',
    links: [{ providerId: 'nowhere', userId: 'bob-there', userName: 'bob' }],
  }),
  machineDraft({
    tokens: [
      { id: '99999999999999999', createdAt: dates.createdAt, expiresAt: NEVER },
      { id: 'chosen-text', createdAt: dates.createdAt, expiresAt: NEVER },
      { id: '99999999999999998', createdAt: dates.createdAt, expiresAt: instant(dates.createdAt + 1) },
    ],
  }),
  { ...owned, kind: 'metadata', id: 'a', of: 'user', objectId: '33333333333333333', key: 'k', value: 'dg==' },
  { ...owned, kind: 'metadata', id: 'b', of: 'user', objectId: 'nobody', key: 'k', value: 'dg==' },
  {
    ...ofInstance,
    kind: 'administrator',
    id: 'c',
    userId: MACHINE,
    level: 'instance',
    objectId: '',
    roles: ['IAM_OWNER'],
  },
  {
    ...owned,
    kind: 'administrator',
    id: 'd',
    userId: MACHINE,
    level: 'project',
    objectId: '22222222222222222',
    roles: ['PROJECT_OWNER'],
  },
  {
    ...owned,
    kind: 'administrator',
    id: 'e',
    userId: MACHINE,
    level: 'organization',
    objectId: ORGANIZATION,
    roles: ['CUSTOM_ROLE'],
  },
  {
    ...owned,
    kind: 'authorization',
    id: '12121212121212121',
    userId: '33333333333333333',
    projectId: '22222222222222222',
    roleKeys: ['seller'],
    isActive: false,
  },
  {
    ...owned,
    kind: 'picture',
    id: 'p',
    of: 'user',
    objectId: '33333333333333333',
    mediaType: 'image/png',
    bytes: PNG,
  },
]

for (const engine of bothEngines) {
  suite(`everything else of a move on ${engine.name}`, () => {
    let world: World
    before(async () => {
      world = await openWorld({ engine })
    })
    after(() => world.dispose())

    test('is carried, or is in the report', async () => {
      const { kinds, reasons } = await runMove(world.app, sourceOf(drafts), { isQuiet: true })
      const refused = reasons.filter(({ type }) => type === 'refused').map(({ kind, ids }) => `${kind} ${ids}`)
      assert.deepEqual(refused.sort(), ['administrator e', 'metadata b', 'text verify_email/tlh'])
      assert.deepEqual(kinds.machine, { carried: 1, there: 0, refused: 0, notCarried: 1 })
      assert.deepEqual(kinds.human, { carried: 2, there: 0, refused: 0, notCarried: 1 })
      assert.deepEqual(kinds.picture, { carried: 1, there: 0, refused: 0, notCarried: 0 })
    })

    test('settings, providers, links, metadata, roles and pictures are there', async () => {
      const { app, store } = world
      assert.equal((await store.get(settings, ORGANIZATION))?.state.lockout?.maxPasswordAttempts, 7)
      assert.equal((await store.get(smtpConfigs, '77777777777777777'))?.state.status, 'inactive')
      assert.equal((await store.get(identityProviders, '88888888888888888'))?.createdAt, dates.createdAt)
      const secret = (await store.get(providerSecrets, '88888888888888888'))?.state
      assert.ok(secret !== undefined && !JSON.stringify(secret).includes('upstream-secret'))
      const links = await listIdentityLinks(app, '33333333333333333', { limit: 10 })
      assert.deepEqual(
        links.documents.map(({ state }) => 'externalUserId' in state && state.externalUserId),
        ['ada-there'],
      )
      assert.equal((await findMetadata(app, '33333333333333333', 'k'))?.state.value, 'dg==')
      const { documents } = await store.find(memberships, { where: { field: 'userId', equals: MACHINE }, limit: 10 })
      assert.deepEqual(documents.flatMap(({ state }) => ('roles' in state ? state.roles : [])).sort(), [
        'IAM_OWNER',
        'PROJECT_OWNER',
      ])
      const authorization = await store.get(authorizations, '12121212121212121')
      assert.deepEqual([authorization?.state.status, authorization?.createdAt], ['inactive', dates.createdAt])
      const user = await store.get(users, '33333333333333333')
      assert.ok(user && 'avatar' in user.state && user.state.avatar)
      assert.equal(user.changedAt, dates.changedAt)
    })

    test('an old web key verifies, and does not sign', async () => {
      const kids = (await publicKeys(world.app)).map(({ kid }) => kid)
      assert.ok(kids.includes('66666666666666666'))
      assert.notEqual((await signingKey(world.app)).kid, '66666666666666666')
      const published = (await publicKeys(world.app)).find(({ kid }) => kid === '66666666666666666')
      assert.equal(published && 'd' in published, false)
    })

    test('a personal access token of the other product is recognized by its key, and by nothing else', async () => {
      const whoami = async (bearer: string) =>
        world.call(AuthService.method.getMyUser, {}, { bearer }).then(
          ({ user }) => user?.id,
          (error: { code?: string }) => error.code,
        )
      const wrong = 'access.unauthenticated'
      assert.equal(await whoami(encryptToken(`99999999999999999:${MACHINE}`)), MACHINE)
      assert.equal(await whoami(encryptToken(`chosen-text:${MACHINE}`)), MACHINE)
      assert.equal(await whoami(encryptToken('99999999999999999:33333333333333333')), wrong, 'of another user')
      assert.equal(await whoami(encryptToken(`99999999999999998:${MACHINE}`)), wrong, 'expired before the move')
      assert.equal(await whoami(encryptToken(`99999999999999997:${MACHINE}`)), wrong, 'never issued')
      assert.equal(await whoami(encryptToken(`99999999999999999:${MACHINE}`, randomBytes(32))), wrong, 'another key')
      assert.equal(await whoami(encryptToken(`99999999999999999:${MACHINE}`, TOKEN_KEY, 'other')), wrong, 'unknown key')
      const token = encryptToken(`99999999999999999:${MACHINE}`)
      assert.equal(await whoami(`${token.slice(0, -2)}AA`), wrong, 'changed')
      const [own] = await world.store.events({ types: ['personal_access_token.added.v1'], limit: 1 })
      assert.ok(own)
      const { userId } = own.data as { readonly userId: string }
      assert.equal(await whoami(encryptToken(`${own.id}:${userId}`)), wrong, 'a token of ours, by its ID alone')
    })

    test('it can be run again', async () => {
      const before = await world.store.events({
        limit: 1,
        descending: true,
        kinds: ['user', 'authorization', 'token-key'],
      })
      const { kinds } = await runMove(world.app, sourceOf(drafts), { isQuiet: true })
      assert.equal(kinds['identity-provider']?.there, 1)
      assert.equal(kinds.picture?.there, 1)
      assert.equal(kinds.authorization?.there, 1)
      assert.deepEqual(
        await world.store.events({ limit: 1, descending: true, kinds: ['user', 'authorization', 'token-key'] }),
        before,
      )
    })
  })
}
