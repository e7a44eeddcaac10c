/** Grants on real databases: codes and refresh tokens count once, and what has ended leaves the log. */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { ManagementService } from '../../../contract/gen/signet/management/v1/management_pb.ts'
import { OrganizationService } from '../../../contract/gen/signet/org/v2/org_service_pb.ts'
import { bothEngines } from '../../../test/support/engines.ts'
import { gapsIn, readLog, recordsIn, toldBy } from '../../../test/support/gaps.ts'
import { isRefused } from '../../../test/support/small-world.ts'
import { openWorld, type World, type WorldNode } from '../../../test/support/world.ts'
import { grantTokens, hashSecret } from '../../crypto/tokens.ts'
import { instant } from '../../kernel/instant.ts'
import { Refused } from '../../kernel/refusal.ts'
import { removeEnded } from '../../store/index.ts'
import { grantRetention, grants } from './documents.ts'
import {
  findAccessToken,
  findCode,
  findRefreshToken,
  issueTokens,
  type NewGrant,
  openGrantWithCode,
  openGrantWithToken,
  revokeGrant,
  type TokensOfRequest,
} from './index.ts'

const v1 = ManagementService.method
const organizationV2 = OrganizationService.method
const DAY = 86_400_000
const HOUR = 3_600_000

for (const engine of bothEngines) {
  suite(`grants on ${engine.name}`, () => {
    let world: World
    let other: WorldNode
    let userId: string

    before(async () => {
      world = await openWorld({ engine })
      other = await world.another()
      userId = (await world.addMachine()).userId
    })

    after(() => world.dispose())

    const subjectOf = (): NewGrant => ({
      userId,
      organizationId: world.defaultOrganizationId,
      isMachine: true,
      clientId: 'client',
      applicationId: '',
      projectId: '',
      sessionId: '',
      scope: 'openid',
      audience: [],
      authenticatedAt: world.clock.now,
      amr: ['pwd'],
      acr: '',
    })
    const open = async () => {
      const { value: code } = await world.store.write(world.origin(), (work) =>
        openGrantWithCode(world.app, work, subjectOf(), { redirectUri: 'https://app.example/' }),
      )
      return { code, grantId: grantTokens.authorization_code.parse(code)?.tokenId ?? assert.fail(code) }
    }
    const issue = ({ app, store }: WorldNode, grantId: string, tokens: TokensOfRequest) =>
      store.write(world.origin(), (work) => issueTokens(app, work, grantId, tokens))
    const give = async (kind: 'access_token' | 'refresh_token', grantId: string, lifetime = HOUR) => {
      const { text, hash } = grantTokens[kind].issue(grantId)
      const issuedAt = world.clock.now
      const times = { issuedAt, expiresAt: instant(issuedAt + lifetime) }
      const token = { secret: { hash }, scope: 'openid', grantType: 'authorization_code', ...times }
      await issue(world, grantId, kind === 'access_token' ? { access: token } : { refresh: token })
      return text
    }
    /** Lets eight callers on two nodes do the same at once; returns the codes of those that were refused. */
    const race = async (act: (node: WorldNode) => Promise<unknown>) => {
      const done = await Promise.allSettled(
        Array.from({ length: 8 }, (_, racer) => act(racer % 2 === 0 ? world : other)),
      )
      return done.flatMap((one) => {
        if (one.status === 'fulfilled') return []
        if (!(one.reason instanceof Refused)) throw one.reason
        return [one.reason.code]
      })
    }

    test('a code is redeemed by one of eight callers at once', async () => {
      const { code, grantId } = await open()
      assert.equal((await findCode(other.app, code))?.isUsed, false)
      const refused = await race((node) => issue(node, grantId, { uses: 'code' }))
      assert.deepEqual(
        refused,
        Array.from({ length: 7 }, () => 'grant.code_used'),
      )
      assert.equal((await findCode(other.app, code))?.isUsed, true)
    })

    test('a refresh token is used by one of eight callers at once', async () => {
      const { grantId } = await open()
      const text = await give('refresh_token', grantId)
      const { secret } = grantTokens.refresh_token.parse(text) ?? assert.fail(text)
      const refused = await race((node) => issue(node, grantId, { uses: { refreshSecret: secret } }))
      assert.deepEqual(
        refused,
        Array.from({ length: 7 }, () => 'grant.refresh_token_used'),
      )
      const next = await give('refresh_token', grantId)
      assert.equal((await findRefreshToken(other.app, text))?.isUsed, true, 'it is still recognized')
      assert.equal((await findRefreshToken(other.app, next))?.isUsed, false)
    })

    test('nothing is given after it was revoked on another node', async () => {
      const { grantId } = await open()
      const text = await give('access_token', grantId)
      assert.ok(await findAccessToken(other.app, text, world.clock.now))
      await revokeGrant(other.app, world.origin(), grantId, 'requested')
      assert.equal(await findAccessToken(world.app, text, world.clock.now), undefined)
      await assert.rejects(give('access_token', grantId), { code: 'grant.revoked' })
      await assert.rejects(issue(world, grantId, { uses: 'code' }), { code: 'grant.revoked' })
    })

    test('none is opened for a user who ended, or whose organization did, whatever was checked before', async () => {
      const { organizationId } = await world.call(organizationV2.addOrganization, { name: 'Closing' }, world.owner)
      const there = { ...world.owner, organizationId }
      const gone = (await world.addMachine({ organizationId })).userId
      const held = (await world.addMachine({ organizationId })).userId
      const openFor = (of: Partial<NewGrant>) =>
        openGrantWithToken(
          other.app,
          world.origin(),
          { ...subjectOf(), organizationId, ...of },
          { grantType: 'client_credentials', lifetimeMs: HOUR },
        )
      await openFor({ userId: held })
      await world.call(v1.removeUser, { id: gone }, there)
      await isRefused(openFor({ userId: gone }), 'grant.not_possible')
      await isRefused(openFor({ userId: held, applicationId: 'unknown' }), 'grant.not_possible')
      await isRefused(openFor({ userId: held, sessionId: 'unknown' }), 'grant.not_possible')
      await world.call(v1.deactivateOrg, {}, there)
      await isRefused(openFor({ userId: held }), 'grant.not_possible')
      await world.call(v1.reactivateOrg, {}, there)
      await openFor({ userId: held })
    })

    test('only hashes are stored', async () => {
      const { code, grantId } = await open()
      const text = await give('access_token', grantId)
      const log = JSON.stringify(await world.store.events({ kinds: ['grant'], id: grantId, limit: 100 }))
      for (const token of [code, text]) assert.ok(!log.includes(token))
      const secret = grantTokens.access_token.parse(text)?.secret ?? assert.fail(text)
      assert.ok(log.includes(hashSecret(secret)))
    })

    test('leave the log a day after their last token has expired, and every gap is recorded', async () => {
      const removeAt = (at: number) =>
        removeEnded({ store: world.store, instanceId: world.instanceId }, grantRetention, instant(at))
      // Those of the tests before.
      await removeAt(world.clock.now + 100 * DAY)
      const { grantId: short } = await open()
      const { grantId: long } = await open()
      await give('refresh_token', long, 10 * DAY)
      const { grantId: revoked } = await open()
      await revokeGrant(world.app, world.origin(), revoked, 'requested')
      const codeEnds = world.clock.now + 60_000
      assert.equal(await removeAt(codeEnds + DAY - 1), 0)
      assert.equal(await removeAt(codeEnds + DAY), 2)
      assert.equal(await world.store.get(grants, short), undefined)
      assert.equal(await world.store.get(grants, revoked), undefined)
      assert.ok(await world.store.get(grants, long))
      assert.equal(await removeAt(world.clock.now + 11 * DAY), 1)
      const log = await readLog(world.store)
      assert.deepEqual(gapsIn(log), toldBy(recordsIn(log, 'grant.retired.v1')))
    })
  })
}
