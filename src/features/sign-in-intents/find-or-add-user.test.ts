import assert from 'node:assert/strict'
import { after, before, beforeEach, suite, test } from 'node:test'
import { UserService } from '../../../contract/gen/signet/user/v2/user_service_pb.ts'
import { engines } from '../../../test/support/engines.ts'
import { BOSS, openProviderScene, type ProviderScene } from '../../../test/support/provider-scene.ts'
import { AutoLinkingOption, EmailTrust } from '../../../test/support/provider-world.ts'
import { isRefused } from '../../../test/support/small-world.ts'
import { identityLinks } from '../identity-links/index.ts'
import { users } from '../users/index.ts'

const { addHumanUser } = UserService.method

for (const engine of engines) {
  suite(`an account that signed in at a provider on ${engine.name}`, () => {
    let scene: ProviderScene
    before(async () => {
      scene = await openProviderScene(engine)
    })
    beforeEach(() => scene.begin())
    after(() => scene.dispose())

    test('has the claims of the provider when no user is linked, and no user', async () => {
      const { world, comeAs, go, add } = scene
      const name = comeAs()
      const idpId = await add()
      const { intentId, token, user, url } = await go(idpId)
      assert.equal(user, null)
      assert.equal(url.searchParams.get('id'), intentId)
      assert.equal(url.searchParams.get('from'), 'test')
      assert.equal(Buffer.from(token, 'base64url').length, 32)
      const reply = await world.retrieve(intentId, token)
      assert.equal(reply.userId, '')
      assert.equal(reply.idpInformation?.idpId, idpId)
      assert.equal(reply.idpInformation.userId, name)
      assert.equal(reply.idpInformation.userName, name)
      const { access } = reply.idpInformation
      assert.ok(access.case === 'oauth')
      assert.equal(access.value.accessToken, 'access-4711')
      assert.ok(access.value.idToken)
      assert.equal(reply.details?.resourceOwner, 'north')
      assert.equal(reply.addHumanUser?.username, name)
      assert.deepEqual(reply.addHumanUser.email?.verification, { case: 'isVerified', value: true })
      assert.equal(reply.addHumanUser.idpLinks[0]?.userId, name)
      assert.equal(reply.updateHumanUser, undefined)
      assert.equal(reply.userAction.case, 'createUser')
    })

    test('carries a request to create the user, and one to update them once they are linked', async () => {
      const { world, comeAs, go, add } = scene
      const name = comeAs()
      const idpId = await add()
      const first = await go(idpId)
      const { userAction: create } = await world.retrieve(first.intentId, first.token)
      assert.ok(create.case === 'createUser')
      assert.equal(create.value.organizationId, 'north')
      const { id: userId } = await world.call(UserService.method.createUser, create.value, BOSS)
      const second = await go(idpId)
      assert.equal(second.user, userId)
      const reply = await world.retrieve(second.intentId, second.token)
      assert.equal(reply.addHumanUser, undefined)
      assert.equal(reply.updateHumanUser?.userId, userId)
      assert.equal(reply.updateHumanUser.email?.email, `${name}@corp.example`)
      assert.ok(reply.userAction.case === 'updateUser')
      assert.equal(reply.userAction.value.userId, userId)
      await world.call(UserService.method.updateUser, reply.userAction.value, BOSS)
      await world.call(UserService.method.updateHumanUser, reply.updateHumanUser, BOSS)
    })

    test('has an address that its user confirms by mail where the provider is never trusted', async () => {
      const { world, comeAs, go, add } = scene
      const name = comeAs({ email_verified: true })
      const mails = async (userId: string | null) =>
        (await world.outbox()).filter(({ data }) => data.userId === userId).map(({ data }) => data.type)
      const believed = await go(await add({ isAutoCreation: true }))
      assert.deepEqual(await mails(believed.user), [])
      comeAs({ email_verified: true })
      const idpId = await add({ isAutoCreation: true, isAutoUpdate: true, emailTrust: EmailTrust.NEVER })
      const { user } = await go(idpId)
      const { user: found } = await world.call(UserService.method.getUserByID, { userId: user ?? '' }, BOSS)
      assert.ok(found?.type.case === 'human')
      assert.equal(found.type.value.email?.isVerified, false, name)
      assert.deepEqual(await mails(user), ['verify_email'])
      // Nor is it at the next sign-in, nor does it find another user.
      await go(idpId)
      const { user: again } = await world.call(UserService.method.getUserByID, { userId: user ?? '' }, BOSS)
      assert.ok(again?.type.case === 'human' && again.type.value.email?.isVerified === false)
      const linking = { isLinkingAllowed: true, autoLinking: AutoLinkingOption.EMAIL, emailTrust: EmailTrust.NEVER }
      const other = comeAs({ email_verified: true })
      await scene.addPerson(other, `${other}@corp.example`)
      assert.equal((await go(await add(linking))).user, null)
    })

    test('is not started with a username and password at a provider that asks for them itself', async () => {
      const { world, add } = scene
      const idpId = await add()
      await isRefused(
        world.call(
          UserService.method.startIdentityProviderIntent,
          { idpId, content: { case: 'ldap', value: { username: 'ada', password: 'secret' } } },
          BOSS,
        ),
        'intent.credentials_needed',
      )
    })

    test('can be turned into a user by what it carries, who then proves a session with it', async () => {
      const { world, comeAs, go, add, prove } = scene
      comeAs()
      const { intentId, token } = await go(await add())
      const { addHumanUser: draft } = await world.retrieve(intentId, token)
      assert.ok(draft)
      await isRefused(prove(intentId, token, 'boss'), 'intent.other_user')
      const { userId } = await world.call(addHumanUser, draft, BOSS)
      await prove(intentId, token, userId)
      await isRefused(prove(intentId, token, userId), 'intent.not_succeeded')
    })

    test('registers people through the mappings, links them, and knows them the next time', async () => {
      const { world, comeAs, go, add } = scene
      const name = comeAs({ given_name: undefined, family_name: undefined, name: 'Zoë van Dyk' })
      const idpId = await add({ isAutoCreation: true })
      const first = await go(idpId)
      const user = await world.store.get(users, first.user ?? '')
      assert.ok(user !== undefined && 'type' in user.state && user.state.type === 'human')
      assert.equal(user.owner, 'north')
      assert.equal(user.state.userName, name)
      assert.equal(user.state.profile.firstName, 'Zoë')
      assert.equal(user.state.profile.lastName, 'van Dyk')
      assert.equal(user.state.profile.displayName, 'Zoë van Dyk')
      assert.deepEqual(user.state.email, { address: `${name}@corp.example`, isVerified: true, basis: 'asserted' })
      const second = await go(idpId)
      assert.equal(second.user, first.user)
      assert.equal((await world.retrieve(second.intentId, second.token)).userId, first.user)
      const { total } = await world.store.find(identityLinks, {
        where: { field: 'userId', equals: first.user ?? '' },
        limit: 1,
      })
      assert.equal(total, 1)
    })

    test('is registered once, however many browsers they come with', async () => {
      const { world, provider, comeAs, add } = scene
      comeAs()
      const idpId = await add({ isAutoCreation: true })
      const begun = await Promise.all(Array.from({ length: 4 }, () => world.start(idpId)))
      const urls = await Promise.all(begun.map(({ authUrl }) => world.finishAt(provider.answer(authUrl))))
      const ids = new Set(urls.map(({ searchParams }) => searchParams.get('user')))
      assert.equal(ids.size, 1)
      assert.ok(!ids.has(null))
    })

    test('registers no user whose name is taken, whose address is missing, or where the policy forbids it', async () => {
      const { comeAs, go, add, addPerson } = scene
      const name = comeAs()
      await addPerson(name, `${name}@elsewhere.example`)
      const idpId = await add({ isAutoCreation: true })
      assert.equal((await go(idpId)).user, null)
      comeAs({ email: undefined })
      assert.equal((await go(idpId)).user, null)
      comeAs({ email: 'not an address' })
      assert.equal((await go(idpId)).user, null)
      comeAs()
      assert.equal((await go(await add({ isAutoCreation: false }))).user, null)
    })

    test('does not verify an address that the provider does not vouch for', async () => {
      const { world, comeAs, go, add } = scene
      comeAs({ email_verified: false })
      const { user } = await go(await add({ isAutoCreation: true }))
      const document = await world.store.get(users, user ?? '')
      assert.ok(document !== undefined && 'email' in document.state)
      assert.equal(document.state.email.isVerified, false)
    })

    test('adds no user where creation is not allowed, whatever else is set', async () => {
      const { comeAs, go, add } = scene
      comeAs()
      assert.equal((await go(await add({ isAutoCreation: true, isCreationAllowed: false }))).user, null)
    })

    test('links by an address that both sides have verified, and by nothing less', async () => {
      const { world, comeAs, go, add, addPerson } = scene
      const idpId = await add({ autoLinking: AutoLinkingOption.EMAIL })
      const linked = comeAs()
      const userId = await addPerson(`${linked}-here`, `${linked.toUpperCase()}@corp.example`)
      assert.equal((await go(idpId)).user, userId)
      assert.equal((await go(idpId)).user, userId)

      const unverifiedThere = comeAs({ email_verified: false })
      await addPerson(`${unverifiedThere}-here`, `${unverifiedThere}@corp.example`)
      assert.equal((await go(idpId)).user, null)

      const unsaid = comeAs({ email_verified: undefined })
      await addPerson(`${unsaid}-here`, `${unsaid}@corp.example`)
      assert.equal((await go(idpId)).user, null)

      const unverifiedHere = comeAs()
      await addPerson(`${unverifiedHere}-here`, `${unverifiedHere}@corp.example`, false)
      assert.equal((await go(idpId)).user, null)

      const elsewhere = comeAs()
      await addPerson(`${elsewhere}-here`, `${elsewhere}@corp.example`, true, 'south')
      assert.equal((await go(idpId)).user, null)

      const twice = comeAs()
      await addPerson(`${twice}-1`, `${twice}@corp.example`)
      await addPerson(`${twice}-2`, `${twice}@corp.example`)
      assert.equal((await go(idpId)).user, null)

      // One of several proves it by mail: it is theirs then.
      const proven = comeAs()
      const email = `${proven}@corp.example`
      await addPerson(`${proven}-1`, email)
      const proverId = await addPerson(`${proven}-2`, email, false)
      const proof = { type: 'verify_email', address: email, isMailed: true } as const
      await world.store.write(world.origin(), (work) => work.decide(users, proverId, proof))
      assert.equal((await go(idpId)).user, proverId)

      const locked = comeAs()
      const lockedId = await addPerson(`${locked}-here`, `${locked}@corp.example`)
      await world.call(UserService.method.lockUser, { userId: lockedId }, BOSS)
      assert.equal((await go(idpId)).user, null)

      const unwanted = comeAs()
      await addPerson(`${unwanted}-here`, `${unwanted}@corp.example`)
      assert.equal((await go(await add())).user, null)
      const forbidden = { autoLinking: AutoLinkingOption.EMAIL, isLinkingAllowed: false }
      assert.equal((await go(await add(forbidden))).user, null)
    })

    test('links by a user name only together with the address', async () => {
      const { comeAs, go, add, addPerson } = scene
      const idpId = await add({ autoLinking: AutoLinkingOption.USERNAME })
      const both = comeAs()
      const userId = await addPerson(both, `${both}@corp.example`)
      assert.equal((await go(idpId)).user, userId)
      const nameOnly = comeAs()
      await addPerson(nameOnly, `${nameOnly}@elsewhere.example`)
      assert.equal((await go(idpId)).user, null)
      const addressOnly = comeAs()
      await addPerson(`${addressOnly}-here`, `${addressOnly}@corp.example`)
      assert.equal((await go(idpId)).user, null)
    })

    test('follows the provider at every sign-in when it is told to', async () => {
      const { world, provider, comeAs, go, add } = scene
      const name = comeAs()
      const idpId = await add({ isAutoCreation: true, isAutoUpdate: true })
      const { user } = await go(idpId)
      provider.account = { ...provider.account, given_name: 'Samantha', email: `new-${name}@corp.example` }
      assert.equal((await go(idpId)).user, user)
      const document = await world.store.get(users, user ?? '')
      assert.ok(document !== undefined && 'email' in document.state)
      assert.equal(document.state.profile.firstName, 'Samantha')
      const { since, ...email } = document.state.email
      assert.deepEqual(email, { address: `new-${name}@corp.example`, isVerified: true, basis: 'asserted' })
      assert.equal(since, document.changedAt)
      provider.account = { ...provider.account, email: 'mine@evil.example', email_verified: false }
      await go(idpId)
      assert.equal((await world.store.get(users, user ?? ''))?.revision, document.revision)
    })
  })
}
