/** What organizations say about accounts at providers of the instance, and what their owners confirm. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, suite, test } from 'node:test'
import { ManagementService } from '../../../contract/gen/signet/management/v1/management_pb.ts'
import { UserService } from '../../../contract/gen/signet/user/v2/user_service_pb.ts'
import { engines } from '../../../test/support/engines.ts'
import { type ExternalScene, openExternalScene } from '../../../test/support/external-scene.ts'
import { BOSS } from '../../../test/support/provider-scene.ts'
import { AutoLinkingOption } from '../../../test/support/provider-world.ts'
import { isRefused } from '../../../test/support/small-world.ts'
import { users } from '../users/index.ts'
import { acceptProposedUser } from './index.ts'

const v2 = UserService.method
/** The owner of an organization. */
const SOUTH = { bearer: 'south', organizationId: 'south' }

type Claim = (scene: ExternalScene, idpId: string, account: string) => Promise<string>

let count = 0
const human = (more: object) => {
  const username = `mallory-${++count}`
  const email = { email: `${username}@south.example` }
  return {
    username,
    organisation: { org: { case: 'orgId', value: 'south' } },
    profile: { firstName: 'M', lastName: 'Y' },
    email,
    ...more,
  } as never
}
const added = async (scene: ExternalScene, more: object) =>
  (await scene.world.call(v2.addHumanUser, human(more), SOUTH)).userId
const linkTo = (idpId: string, account: string) => ({ idpId, userId: account, userName: account })

/** The ways in which a manager says that an account belongs to a user. */
const CLAIMS: Readonly<Record<string, Claim>> = {
  async AddIDPLink(scene, idpId, account) {
    const userId = await added(scene, {})
    await scene.world.call(v2.addIDPLink, { userId, idpLink: linkTo(idpId, account) }, SOUTH)
    return userId
  },
  AddHumanUser: (scene, idpId, account) => added(scene, { idpLinks: [linkTo(idpId, account)] }),
  async CreateUser(scene, idpId, account) {
    const { profile, email, username } = human({}) as Record<string, never>
    const value = { profile, email, idpLinks: [linkTo(idpId, account)] }
    const message = { organizationId: 'south', username, userType: { case: 'human', value } } as never
    return (await scene.world.call(v2.createUser, message, SOUTH)).id
  },
  async ImportHumanUser(scene, idpId, account) {
    const { profile, email, username: userName } = human({}) as Record<string, never>
    const idps = [{ configId: idpId, externalUserId: account, displayName: account }]
    const message = { userName, profile, email, idps } as never
    return (await scene.world.call(ManagementService.method.importHumanUser, message, SOUTH)).userId
  },
}

for (const engine of engines) {
  suite(`accounts at providers of the instance on ${engine.name}`, () => {
    let scene: ExternalScene
    before(async () => {
      scene = await openExternalScene(engine)
    })
    beforeEach(() => scene.begin())
    after(() => scene.dispose())

    for (const [way, claim] of Object.entries(CLAIMS)) {
      test(`are not taken by ${way}, and answered alike whether somebody has them`, async () => {
        const idpId = await scene.addToInstance({ isAutoCreation: true })
        const free = scene.comeAs()
        const proposed = await claim(scene, idpId, free)
        const own = await scene.go(idpId)
        assert.notEqual(own.user, proposed)
        assert.equal((await scene.world.store.get(users, own.user ?? ''))?.owner, 'north')
        // Somebody has it now, and another organization may say so as well.
        const again = await claim(scene, idpId, free)
        const { result } = await scene.world.call(v2.listIDPLinks, { userId: again }, SOUTH)
        assert.deepEqual(result, (await scene.world.call(v2.listIDPLinks, { userId: proposed }, SOUTH)).result)
        assert.equal(result[0]?.userId, free)
        assert.equal((await scene.go(idpId)).user, own.user)
      })
    }

    test('belong to the proposed user once their owner accepts it, on the pages of that organization', async () => {
      const idpId = await scene.addToInstance({ isAutoCreation: true })
      const account = scene.comeAs()
      const userId = await added(scene, { idpLinks: [linkTo(idpId, account)] })
      const proof = await scene.come(idpId, 'south')
      assert.equal((await scene.read(proof, undefined, 'north')).proposed.length, 0)
      const { proposed, userId: linked } = await scene.read(proof, undefined, 'south')
      assert.equal(linked, undefined)
      assert.deepEqual(
        proposed.map((one) => one.userId),
        [userId],
      )
      const other = await added(scene, {})
      assert.equal((await acceptProposedUser(scene.app, proof, other, 'south')).outcome, 'refused')
      assert.equal((await acceptProposedUser(scene.app, proof, userId, undefined)).outcome, 'refused')
      assert.equal((await acceptProposedUser(scene.app, proof, userId, 'south')).outcome, 'done')
      assert.equal((await scene.enter(proof, userId)).person.userId, userId)
      assert.equal((await scene.go(idpId)).user, userId)
    })

    test('are linked by who speaks for the instance, and withdrawn by who proposed them', async () => {
      const idpId = await scene.addToInstance()
      const account = scene.comeAs()
      const userId = await added(scene, { idpLinks: [linkTo(idpId, account)] })
      const add = { userId, idpLink: linkTo(idpId, account) }
      await isRefused(scene.world.call(v2.addIDPLink, add, SOUTH), 'identity_link.taken')
      await scene.world.call(v2.addIDPLink, add, BOSS)
      assert.equal((await scene.go(idpId)).user, userId)
      const second = await added(scene, { idpLinks: [linkTo(idpId, account)] })
      await scene.world.call(v2.removeIDPLink, { userId: second, idpId, linkedUserId: account }, SOUTH)
      assert.deepEqual((await scene.world.call(v2.listIDPLinks, { userId: second }, SOUTH)).result, [])
    })

    test('are not caught by an address that an organization declares verified; its own pages ask', async () => {
      const idpId = await scene.addToInstance({ autoLinking: AutoLinkingOption.EMAIL, isAutoCreation: true })
      const account = scene.comeAs()
      const email = { email: `${account}@corp.example`, verification: { case: 'isVerified', value: true } }
      const userId = await added(scene, { email })
      const asked = await scene.come(idpId, 'south')
      const { proposed, userId: linked } = await scene.read(asked, undefined, 'south')
      assert.equal(linked, undefined)
      assert.deepEqual(
        proposed.map((one) => one.userId),
        [userId],
      )
      const own = await scene.go(idpId)
      assert.ok(own.user !== null && own.user !== userId)
    })

    test('are linked to who has proven the address, wherever they are', async () => {
      const idpId = await scene.addToInstance({ autoLinking: AutoLinkingOption.EMAIL })
      const account = scene.comeAs()
      const address = `${account}@corp.example`
      const verification = { case: 'isVerified', value: true }
      await added(scene, { email: { email: address, verification } })
      const proverId = await scene.addPerson(`${account}-here`, address)
      const proof = { type: 'verify_email', address, isMailed: true } as const
      await scene.world.store.write(scene.world.origin(), (work) => work.decide(users, proverId, proof))
      assert.equal((await scene.go(idpId)).user, proverId)
    })
  })
}
