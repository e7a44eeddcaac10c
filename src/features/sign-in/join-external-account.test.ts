/** How an account elsewhere becomes somebody's, on real rooms. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, suite, test } from 'node:test'
import { ManagementService } from '../../../contract/gen/signet/management/v1/management_pb.ts'
import { engines } from '../../../test/support/engines.ts'
import { CLIENT, type ExternalScene, NEW, openExternalScene, SOUTH } from '../../../test/support/external-scene.ts'
import { users } from '../users/index.ts'

for (const engine of engines) {
  suite(`an account that is nobody’s on ${engine.name}`, () => {
    let scene: ExternalScene
    before(async () => {
      scene = await openExternalScene(engine)
    })
    beforeEach(() => scene.begin())
    after(() => scene.dispose())

    test('register somebody new with a link, and know them the next time', async () => {
      const idpId = await scene.add()
      const name = scene.comeAs()
      const proof = await scene.come(idpId)
      const account = await scene.read(proof)
      assert.deepEqual(
        [account.userId, account.mayLink, account.mayRegister, account.accountName],
        [undefined, true, true, name],
      )
      assert.deepEqual(account.known, {
        firstName: 'Sam',
        lastName: 'Miller',
        userName: name,
        email: `${name}@corp.example`,
      })
      const { userId, person, token } = await scene.join(idpId, name)
      const { email, profile, userName } = await scene.stateOf(userId)
      assert.deepEqual(email, { address: `${name}@corp.example`, isVerified: true })
      assert.deepEqual([userName, profile.displayName, profile.preferredLanguage], [name, 'Ada King', 'de'])
      assert.deepEqual(
        [person.step, person.isFresh, person.hasPassword, person.organizationId],
        ['none', true, false, 'north'],
      )
      assert.deepEqual(
        (await scene.ports.external.linkedTo(person)).map(({ id }) => id),
        [idpId],
      )
      // The first sign-in was of nobody; it is good for who has the account by now, and once.
      assert.equal((await scene.read(proof)).userId, userId)
      const again = await scene.enter(proof, userId, token)
      assert.equal(again.person.sessionId, person.sessionId)
      const twice = await scene.ports.signIn.signInElsewhere({ proof, userId, client: CLIENT, before: undefined })
      assert.deepEqual(twice, { outcome: 'refused' })
      const other = await scene.enter(await scene.come(idpId), userId)
      assert.notEqual(other.person.sessionId, person.sessionId)
    })

    test('believe an address only as the provider said it, and no name that is somebody else’s address', async () => {
      const idpId = await scene.add()
      const taken = await scene.addPerson('somebody@corp.example', 'somebody@corp.example')
      const name = scene.comeAs({ email: 'own@corp.example', preferred_username: 'somebody@corp.example' })
      const proof = await scene.come(idpId)
      assert.equal((await scene.read(proof)).known.userName, 'somebody')
      const register = (userName: string, email: string) =>
        scene.ports.external.register(proof, { ...NEW, userName, email })
      const wrong = { outcome: 'mistaken', fields: ['userName'] }
      for (const userName of [
        'somebody@corp.example',
        'SOMEBODY＠corp.example',
        'nobody@corp.example',
        (await scene.stateOf(taken)).userName,
        'a\u202eb',
        '',
      ]) {
        assert.deepEqual(await register(userName, 'own@corp.example'), wrong, userName)
      }
      assert.deepEqual(
        await scene.ports.external.register(proof, { ...NEW, firstName: ' ', userName: name, email: 'x' }),
        {
          outcome: 'mistaken',
          fields: ['firstName', 'email'],
        },
      )
      const made = await register('own@corp.example', 'typed@corp.example')
      if (made.outcome !== 'done') return assert.fail(made.outcome)
      assert.deepEqual((await scene.stateOf(made.userId)).email, { address: 'typed@corp.example', isVerified: false })
      scene.comeAs({ email_verified: false, email: 'unsure@corp.example' })
      const unsure = await scene.come(idpId)
      const given = { ...NEW, userName: 'unsure', email: 'unsure@corp.example' }
      assert.deepEqual(
        await scene.ports.external.register(unsure, { ...given, userName: 'unsure@corp.example' }),
        wrong,
      )
      const second = await scene.ports.external.register(unsure, given)
      if (second.outcome !== 'done') return assert.fail(second.outcome)
      assert.equal((await scene.stateOf(second.userId)).email.isVerified, false)
      // Once only: the account is somebody's now.
      assert.deepEqual(await scene.ports.external.register(unsure, { ...given, userName: 'once.more' }), {
        outcome: 'refused',
      })
    })

    test('link an account to who is signed in, by the policy of the provider, and use the proof up', async () => {
      const home = await scene.add()
      const { person, userId } = await scene.join(home, scene.comeAs())
      const idpId = await scene.add()
      const name = scene.comeAs()
      const proof = await scene.come(idpId)
      assert.equal((await scene.read(proof, person)).mayLink, true)
      assert.deepEqual(await scene.ports.external.link(person, proof), { outcome: 'done' })
      assert.deepEqual(await scene.ports.external.link(person, proof), { outcome: 'refused' })
      const spent = await scene.ports.signIn.signInElsewhere({ proof, userId, client: CLIENT, before: undefined })
      assert.deepEqual(spent, { outcome: 'refused' })
      const { links, linkable } = await scene.ports.account.read(person)
      assert.ok(linkable.some(({ id }) => id === idpId))
      assert.deepEqual(
        links.map(({ idpId: id, isUsable }) => [id, isUsable]).sort(),
        [
          [home, true],
          [idpId, true],
        ].sort(),
      )
      assert.equal((await scene.read(await scene.come(idpId))).userId, userId)
      // Somebody else cannot have it, too.
      scene.comeAs()
      const other = await scene.join(home, scene.provider.account.sub as string)
      scene.provider.account = { ...scene.provider.account, sub: name }
      assert.deepEqual(await scene.ports.external.link(other.person, await scene.come(idpId)), { outcome: 'refused' })

      const link = { idpId, externalUserId: name }
      assert.deepEqual(await scene.ports.account.removeLink(other.person, link), { outcome: 'refused' })
      assert.deepEqual(await scene.ports.account.removeLink(person, link), { outcome: 'done' })
      assert.deepEqual(await scene.ports.account.removeLink(person, { ...link, idpId: home }), { outcome: 'refused' })
      const [last] = (await scene.ports.account.read(person)).links
      assert.ok(last?.isUsable)
      // The last way in stays.
      assert.deepEqual(await scene.ports.account.removeLink(person, last), { outcome: 'refused' })
    })

    test('neither link nor register where the provider, or the organization, does not allow it', async () => {
      const { person } = await scene.join(await scene.add(), scene.comeAs())
      const closed = await scene.add({ isLinkingAllowed: false, isCreationAllowed: false })
      const name = scene.comeAs()
      const proof = await scene.come(closed)
      const account = await scene.read(proof, person)
      assert.deepEqual([account.mayLink, account.mayRegister], [false, false])
      const given = { ...NEW, userName: name, email: `${name}@corp.example` }
      assert.deepEqual(await scene.ports.external.link(person, proof), { outcome: 'refused' })
      assert.deepEqual(await scene.ports.external.register(proof, given), { outcome: 'refused' })
      assert.ok(!(await scene.ports.account.read(person)).linkable.some(({ id }) => id === closed))

      const foreign = (
        await scene.world.call(
          ManagementService.method.addGenericOIDCProvider,
          {
            name: 'Of the south',
            issuer: scene.provider.issuer,
            clientId: 'signet-client',
            clientSecret: 'a secret: 1+1=2',
            providerOptions: { isLinkingAllowed: true, isCreationAllowed: true },
          },
          SOUTH,
        )
      ).id
      const fromSouth = await scene.come(foreign)
      assert.equal((await scene.read(fromSouth, person)).mayLink, false)
      assert.deepEqual(await scene.ports.external.link(person, fromSouth), { outcome: 'refused' })
      const made = await scene.ports.external.register(fromSouth, given)
      if (made.outcome !== 'done') return assert.fail(made.outcome)
      assert.equal((await scene.world.store.get(users, made.userId))?.owner, 'south')
    })

    test('bring people of the instance’s providers to the first organization, whichever they visit', async () => {
      const idpId = await scene.addToInstance()
      const name = scene.comeAs()
      const { person } = await scene.join(idpId, name)
      assert.equal(person.organizationId, 'north')
      const auto = await scene.addToInstance({ isAutoCreation: true })
      scene.comeAs()
      const { userId = '' } = await scene.read(await scene.come(auto, 'south'))
      assert.equal((await scene.world.store.get(users, userId))?.owner, 'north')
    })
  })
}
