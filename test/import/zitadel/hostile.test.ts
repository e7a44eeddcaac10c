/** Databases that cannot be imported: each is refused with a sentence that names the place. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { suite, test } from 'node:test'
import { readMasterKey } from '../../../src/cli/import/zitadel/keys.ts'
import { freshDatabase } from '../../support/postgres.ts'
import { INSTANCE, instance, ORGANIZATION, peerWorld, project, user } from './peer-world.ts'

const ID = '200000000000000001'

suite('a ZITADEL that cannot be imported', () => {
  test('a wrong master key is noticed before anything is read', async (t) => {
    const world = await peerWorld(t)
    if (!world) return
    await assert.rejects(world.open({ masterKey: randomBytes(32) }), /master key is not the one of this ZITADEL/)
    await world.run('delete from eventstore.events2 where aggregate_type = $1', ['web_key'])
    await world.addHuman(ID)
    await world.add(user(ID), {
      'user.human.mfa.otp.added': { otpSecret: world.seal('otpKey', 'JBSWY3DPEHPK3PXP') },
    })
    await assert.rejects(world.open({ masterKey: randomBytes(32) }), /master key is not the one of this ZITADEL/)
  })

  test('a master key of another length is refused; a line break at its end is not part of it', () => {
    assert.throws(() => readMasterKey(Buffer.from('short')), /has 32 bytes; the file has 5/)
    assert.equal(readMasterKey(Buffer.from(`${'k'.repeat(32)}\n`)).toString(), 'k'.repeat(32))
  })

  test('a secret under a key that is not there is named', async (t) => {
    const world = await peerWorld(t)
    if (!world) return
    await world.addHuman(ID)
    await world.add(user(ID), {
      'user.human.mfa.otp.added': { otpSecret: world.seal('lostKey', 'JBSWY3DPEHPK3PXP') },
      'user.human.mfa.otp.verified': null,
    })
    await assert.rejects(world.read(), new RegExp(`user ${ID} is encrypted with the key "lostKey"`))
  })

  test('an event without what it is about, or with something else, is named', async (t) => {
    const world = await peerWorld(t)
    if (!world) return
    await world.add(project('p1'), { 'project.added': { name: 'One' }, 'project.role.added': { displayName: 'x' } })
    await assert.rejects(world.read(), /event project\.role\.added of project p1 \(sequence 2\).*"key" is missing/)
    await world.run('delete from eventstore.events2 where aggregate_id = $1', ['p1'])
    await world.addHuman(ID, { firstName: { first: 'Ada' } })
    await assert.rejects(world.read(), /event user\.human\.added of user .*"firstName" has an unexpected form/)
  })

  test('a log whose beginning is missing is refused', async (t) => {
    const world = await peerWorld(t)
    if (!world) return
    await world.add(user(ID), { 'user.human.email.verified': null })
    await assert.rejects(world.read(), new RegExp(`log is incomplete: the first event .* of user ${ID}`))
    await world.run('delete from eventstore.events2 where aggregate_type = $1', ['user'])
    await world.addHuman(ID, {}, 'nowhere')
    await assert.rejects(world.read(), new RegExp(`user ${ID} belongs to the organization nowhere`))
    await world.run('delete from eventstore.events2 where aggregate_type = $1', ['instance'])
    await assert.rejects(world.open(), /log is incomplete: it has no instance/)
  })

  test('user names that are taken without users are pointed out', async (t) => {
    const world = await peerWorld(t)
    if (!world) return
    await world.run('insert into eventstore.unique_constraints values ($1, $2, $3)', [INSTANCE, 'usernames', 'lost'])
    const { remarks } = await world.read()
    assert.ok(remarks.some(({ kind, reason }) => kind === 'log' && reason.includes('0 users, but 1 user names')))
  })

  test('one of several instances must be chosen, by ID, name or domain', async (t) => {
    const world = await peerWorld(t)
    if (!world) return
    const other = { type: 'instance', id: 'i2', owner: 'i2' }
    await world.add(
      other,
      { 'instance.added': { name: 'Other' }, 'instance.domain.added': { domain: 'other.example' } },
      'i2',
    )
    await assert.rejects(
      world.open(),
      /several instances\. Choose one with --instance: .*"Peer" .*"Other" \(other\.example\)/,
    )
    await assert.rejects(world.open({ instance: 'nobody' }), /"nobody" names no single instance/)
    for (const wanted of [INSTANCE, 'Peer', 'peer.example']) {
      const items: unknown[] = []
      for await (const item of (await world.open({ instance: wanted })).read()) items.push(item)
      assert.ok(items.some((item) => (item as { id?: string }).id === ORGANIZATION))
    }
    await world.add(other, { 'instance.removed': null }, 'i2')
    await world.open()
  })

  test('a database of something else, and one that does not answer, are refused without repeating the password', async (t) => {
    const database = await freshDatabase()
    if (!database) return t.skip('no PostgreSQL')
    t.after(() => database.drop())
    const world = await peerWorld(t)
    await assert.rejects(
      async () => world?.open({ url: database.url }),
      /not a database of ZITADEL.*eventstore\.events2/,
    )
    const url = 'postgres://me:secret@127.0.0.1:1/db'
    await assert.rejects(
      async () => world?.open({ url }),
      (error: Error) => /no server listens on 127\.0\.0\.1:1/.test(error.message) && !error.message.includes('secret'),
    )
  })

  test('nothing is written to the database that is read', async (t) => {
    const world = await peerWorld(t)
    if (!world) return
    await world.addHuman(ID)
    await world.add(instance, { 'instance.changed': { name: 'Peer 2' } })
    await world.run(`create function refuse() returns trigger language plpgsql as $$ begin raise 'written'; end $$;
      create trigger refuse before insert or update or delete on eventstore.events2 execute function refuse();
      create trigger refuse before insert or update or delete on system.encryption_keys execute function refuse()`)
    assert.ok((await world.read()).drafts.length > 3)
  })
})
