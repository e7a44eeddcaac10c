/** How an account at a provider gets its user. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, suite, test } from 'node:test'
import { ManagementService } from '../../../contract/gen/signet/management/v1/management_pb.ts'
import { engines } from '../../../test/support/engines.ts'
import { CLIENT, type ExternalScene, NEW, openExternalScene, SOUTH } from '../../../test/support/external-scene.ts'
import { readAccount, removeOwnLink } from '../account/index.ts'
import { users } from '../users/index.ts'
import { linkExternalAccount, linkedProviders, registerWithExternalAccount, signInWithProvider } from './index.ts'

for (const engine of engines) {
  suite(`an account without a user on ${engine.name}`, () => {
    let scene: ExternalScene
    before(async () => {
      scene = await openExternalScene(engine)
    })
    beforeEach(() => scene.begin())
    after(() => scene.dispose())

    test('registers a new user with a link, and knows them the next time', async () => {
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
      assert.deepEqual(email, { address: `${name}@corp.example`, isVerified: true, basis: 'asserted' })
      assert.deepEqual([userName, profile.displayName, profile.preferredLanguage], [name, 'Ada King', 'de'])
      assert.deepEqual(
        [person.step, person.isFresh, person.hasPassword, person.organizationId],
        ['none', true, false, 'north'],
      )
      assert.deepEqual(
        (await linkedProviders(scene.app, person)).map(({ id }) => id),
        [idpId],
      )
      // The first sign-in had no user; it is valid for the user of the account now, and once.
      assert.equal((await scene.read(proof)).userId, userId)
      const again = await scene.enter(proof, userId, token)
      assert.equal(again.person.sessionId, person.sessionId)
      const twice = await signInWithProvider(scene.app, { proof, userId, client: CLIENT, before: undefined })
      assert.deepEqual(twice, { outcome: 'refused' })
      const other = await scene.enter(await scene.come(idpId), userId)
      assert.notEqual(other.person.sessionId, person.sessionId)
    })

    test('takes an address as verified only as the provider said it, and no name that is another user’s address', async () => {
      const idpId = await scene.add()
      const taken = await scene.addPerson('other@corp.example', 'other@corp.example')
      const name = scene.comeAs({ email: 'own@corp.example', preferred_username: 'other@corp.example' })
      const proof = await scene.come(idpId)
      assert.equal((await scene.read(proof)).known.userName, 'other')
      const register = (userName: string, email: string) =>
        registerWithExternalAccount(scene.app, proof, { ...NEW, userName, email })
      const wrong = { outcome: 'mistaken', fields: ['userName'] }
      for (const userName of [
        'other@corp.example',
        'OTHER＠corp.example',
        'free@corp.example',
        (await scene.stateOf(taken)).userName,
        'a\u202eb',
        '',
      ]) {
        assert.deepEqual(await register(userName, 'own@corp.example'), wrong, userName)
      }
      assert.deepEqual(
        await registerWithExternalAccount(scene.app, proof, { ...NEW, firstName: ' ', userName: name, email: 'x' }),
        {
          outcome: 'mistaken',
          fields: ['firstName', 'email'],
        },
      )
      const made = await register('own@corp.example', 'typed@corp.example')
      if (made.outcome !== 'done') return assert.fail(made.outcome)
      const email = { address: 'typed@corp.example', isVerified: false, basis: 'typed' }
      assert.deepEqual((await scene.stateOf(made.userId)).email, email)
      scene.comeAs({ email_verified: false, email: 'unsure@corp.example' })
      const unsure = await scene.come(idpId)
      const given = { ...NEW, userName: 'unsure', email: 'unsure@corp.example' }
      assert.deepEqual(
        await registerWithExternalAccount(scene.app, unsure, { ...given, userName: 'unsure@corp.example' }),
        wrong,
      )
      const second = await registerWithExternalAccount(scene.app, unsure, given)
      if (second.outcome !== 'done') return assert.fail(second.outcome)
      assert.equal((await scene.stateOf(second.userId)).email.isVerified, false)
      // Once only: the account has a user now.
      assert.deepEqual(await registerWithExternalAccount(scene.app, unsure, { ...given, userName: 'once.more' }), {
        outcome: 'refused',
      })
    })

    test('is linked to the person who is signed in, by the policy of the provider, and uses the proof up', async () => {
      const home = await scene.add()
      const { person, userId } = await scene.join(home, scene.comeAs())
      const idpId = await scene.add()
      const name = scene.comeAs()
      const proof = await scene.come(idpId)
      assert.equal((await scene.read(proof, person)).mayLink, true)
      assert.deepEqual(await linkExternalAccount(scene.app, person, proof), { outcome: 'done' })
      assert.deepEqual(await linkExternalAccount(scene.app, person, proof), { outcome: 'refused' })
      const spent = await signInWithProvider(scene.app, { proof, userId, client: CLIENT, before: undefined })
      assert.deepEqual(spent, { outcome: 'refused' })
      const { links, linkable } = await readAccount(scene.app, person)
      assert.ok(linkable.some(({ id }) => id === idpId))
      assert.deepEqual(
        links.map(({ idpId: id, isUsable }) => [id, isUsable]).sort(),
        [
          [home, true],
          [idpId, true],
        ].sort(),
      )
      assert.equal((await scene.read(await scene.come(idpId))).userId, userId)
      // Another user cannot have it, too.
      scene.comeAs()
      const other = await scene.join(home, scene.provider.account.sub as string)
      scene.provider.account = { ...scene.provider.account, sub: name }
      assert.deepEqual(await linkExternalAccount(scene.app, other.person, await scene.come(idpId)), {
        outcome: 'refused',
      })

      const link = { idpId, externalUserId: name }
      assert.deepEqual(await removeOwnLink(scene.app, other.person, link), { outcome: 'refused' })
      assert.deepEqual(await removeOwnLink(scene.app, person, link), { outcome: 'done' })
      assert.deepEqual(await removeOwnLink(scene.app, person, { ...link, idpId: home }), { outcome: 'refused' })
      const [last] = (await readAccount(scene.app, person)).links
      assert.ok(last?.isUsable)
      // The last way to sign in stays.
      assert.deepEqual(await removeOwnLink(scene.app, person, last), { outcome: 'refused' })
    })

    test('is neither linked nor registered where the provider, or the organization, does not allow it', async () => {
      const { person } = await scene.join(await scene.add(), scene.comeAs())
      const closed = await scene.add({ isLinkingAllowed: false, isCreationAllowed: false })
      const name = scene.comeAs()
      const proof = await scene.come(closed)
      const account = await scene.read(proof, person)
      assert.deepEqual([account.mayLink, account.mayRegister], [false, false])
      const given = { ...NEW, userName: name, email: `${name}@corp.example` }
      assert.deepEqual(await linkExternalAccount(scene.app, person, proof), { outcome: 'refused' })
      assert.deepEqual(await registerWithExternalAccount(scene.app, proof, given), { outcome: 'refused' })
      assert.ok(!(await readAccount(scene.app, person)).linkable.some(({ id }) => id === closed))

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
      assert.deepEqual(await linkExternalAccount(scene.app, person, fromSouth), { outcome: 'refused' })
      const made = await registerWithExternalAccount(scene.app, fromSouth, given)
      if (made.outcome !== 'done') return assert.fail(made.outcome)
      assert.equal((await scene.world.store.get(users, made.userId))?.owner, 'south')
    })

    test('of a provider of the instance brings new users to the default organization, whichever they visit', async () => {
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
