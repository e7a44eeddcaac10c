/** The development inbox: where mail goes without a mail server, and waiting for it. */

import assert from 'node:assert/strict'
import { suite, type TestContext, test } from 'node:test'
import { durationFromMs, timestampFromMs } from '@bufbuild/protobuf/wkt'
import { AdminService } from '../../../contract/gen/signet/admin/v1/admin_pb.ts'
import { MessageType } from '../../../contract/gen/signet/mail/v1/mail_pb.ts'
import { MailService } from '../../../contract/gen/signet/mail/v1/mail_service_pb.ts'
import { afterwards } from '../../../test/support/afterwards.ts'
import { bothEngines } from '../../../test/support/engines.ts'
import { freePort } from '../../../test/support/free-port.ts'
import { settled, withMails } from '../../../test/support/parts/mails.ts'
import { isRefused } from '../../../test/support/small-world.ts'
import { NOON, openWorld } from '../../../test/support/world.ts'
import { instant } from '../../kernel/instant.ts'
import {
  deliverToInbox,
  INBOX_SIZE,
  isInboxOpen,
  listInboxMails as listMails,
  readInboxMail,
  removeInboxMails,
  waitForInboxMail,
} from './inbox.ts'

const boss = { bearer: 'boss' }
const { listInboxMails, waitForMail, deleteInboxMails } = MailService.method
const patient = { timeout: 600_000 }
const one = { id: 'one', to: 'a@b.example', type: 'invitation' } as const

for (const engine of bothEngines) {
  suite(`the development inbox on ${engine.name}`, () => {
    const open = async (t: TestContext) => {
      const world = await openWorld({ engine }, withMails())
      afterwards(t, () => world.dispose())
      const runner = world.run()
      afterwards(t, () => runner.stop())
      return world
    }

    test('gets mail as long as there is no active mail server', patient, async (t) => {
      const { call, ask, app } = await open(t)
      assert.equal(await isInboxOpen(app), true)
      await ask({ to: 'Mini@mouse.example' })
      const { mail: first } = await call(waitForMail, { recipient: 'mini@MOUSE.example' }, boss)
      assert.deepEqual([first?.to, first?.type], ['Mini@mouse.example', MessageType.VERIFY_EMAIL])
      assert.match(first?.text ?? '', /ABC234/)
      assert.match(first?.html ?? '', /ABC234/)

      const about = { senderAddress: 'a@b.example', senderName: 'A', host: `127.0.0.1:${await freePort()}` }
      const { id } = await call(AdminService.method.addSMTPConfig, about, boss)
      assert.equal(await isInboxOpen(app), false)
      await call(AdminService.method.deactivateSMTPConfig, { id }, boss)
      await ask({ type: 'password_reset' })
      const { mail: second } = await call(
        waitForMail,
        { recipient: 'mini@mouse.example', after: { case: 'afterId', value: first?.id ?? '' } },
        boss,
      )
      assert.equal(second?.type, MessageType.PASSWORD_RESET)
      assert.deepEqual((await readInboxMail(app, second?.id ?? ''))?.text, second?.text)
      assert.equal(await readInboxMail(app, 'no such'), undefined)
    })

    test('is listed newest first, by recipient, type and time', patient, async (t) => {
      const { call, ask, store, clock } = await open(t)
      for (const to of ['a@mouse.example', 'b@mouse.example', 'a@mouse.example']) {
        await ask({ to })
        await settled(store, 'mail')
        clock.now = instant(clock.now + 1000)
      }
      const subjects = async (
        request: Parameters<typeof call<typeof listInboxMails.input, typeof listInboxMails.output>>[1],
      ) =>
        (await call(listInboxMails, request, boss)).mails.map(
          ({ to, createdAt }) => `${to[0]}${Number(createdAt?.seconds) - NOON / 1000}`,
        )
      assert.deepEqual(await subjects({}), ['a2', 'b1', 'a0'])
      assert.deepEqual(await subjects({ recipient: 'A@mouse.example' }), ['a2', 'a0'])
      assert.deepEqual(await subjects({ since: timestampFromMs(NOON + 1000) }), ['a2', 'b1'])
      assert.deepEqual(await subjects({ type: MessageType.INVITATION }), [])
      assert.deepEqual(await subjects({ pagination: { limit: 1, offset: 1n, asc: true } }), ['b1'])
      const { count } = await call(deleteInboxMails, { recipient: 'A@MOUSE.example' }, boss)
      assert.equal(count, 2)
      assert.deepEqual(await subjects({}), ['b1'])
      assert.equal((await call(deleteInboxMails, {}, boss)).count, 1)
    })

    test('a caller who waits gets the mail when it comes, in this process and from another', patient, async (t) => {
      const world = await open(t)
      const other = await world.another()
      const timeout = durationFromMs(30_000)
      const here = world.call(waitForMail, { recipient: 'mini@mouse.example', timeout }, boss)
      const there = other.call(waitForMail, { recipient: 'mini@mouse.example', timeout }, boss)
      await world.ask({ to: 'somebody@else.example' })
      await world.ask()
      const mails = await Promise.all([here, there])
      assert.deepEqual(
        mails.map(({ mail }) => mail?.to),
        ['mini@mouse.example', 'mini@mouse.example'],
      )
    })

    test('a caller who waits in the same process is woken and does not poll', patient, async (t) => {
      const { app } = await open(t)
      const { signal } = new AbortController()
      const patience = { milliseconds: 1_000_000, pollMilliseconds: 1_000_000 }
      const waiting = waitForInboxMail(app, { recipient: 'a@b.example', ...patience, signal })
      // Pause: nothing tells that it has looked. Too short a pause lets the test pass, never fail.
      await new Promise((later) => setTimeout(later, 50))
      await deliverToInbox(app, one, { subject: 's', text: 't', html: 'h' })
      assert.equal((await waiting)?.id, 'one')
    })

    test('a caller waits no longer than it said, and not for what was there before', patient, async (t) => {
      const { call, ask, store } = await open(t)
      await ask()
      await settled(store, 'mail')
      const wait = { recipient: 'mini@mouse.example', timeout: durationFromMs(30) }
      const { mail } = await call(waitForMail, wait, boss)
      const after = { case: 'afterId', value: mail?.id ?? '' } as const
      assert.equal((await call(waitForMail, { ...wait, after }, boss)).mail, undefined)
      const afterTime = { case: 'afterTime', value: timestampFromMs(NOON) } as const
      assert.equal((await call(waitForMail, { ...wait, after: afterTime }, boss)).mail, undefined)
      assert.equal((await call(waitForMail, { ...wait, type: MessageType.INVITATION }, boss)).mail, undefined)
      await call(deleteInboxMails, {}, boss)
      assert.equal((await call(waitForMail, { ...wait, after }, boss)).mail, undefined)
    })

    test('a caller who leaves is no longer waited for', patient, async (t) => {
      const { app } = await open(t)
      const leaving = new AbortController()
      const waiting = waitForInboxMail(app, { recipient: 'a@b.example', milliseconds: 60_000, signal: leaving.signal })
      leaving.abort()
      assert.equal(await waiting, undefined)
    })

    test('a mail that is delivered twice is there once, and stays removed', patient, async (t) => {
      const { app, store } = await open(t)
      const deliver = () => deliverToInbox(app, one, { subject: 's', text: 't', html: 'h' })
      await deliver()
      await deliver()
      assert.equal((await listMails(app, { limit: 10 })).total, 1)
      await removeInboxMails(app, {}, { actor: { user: 'a' }, at: NOON })
      await deliver()
      assert.equal((await listMails(app, { limit: 10 })).total, 0)
      assert.equal((await store.events({ kinds: ['inbox-mail'], limit: 10 })).length, 2)
    })

    test('keeps the newest mails', patient, async (t) => {
      const { app, clock } = await open(t)
      const MORE = 5
      for (let number = 0; number < INBOX_SIZE + MORE; number++) {
        clock.now = instant(clock.now + 1)
        const content = { subject: `${number}`, text: '', html: '' }
        await deliverToInbox(app, { ...one, id: `${number}` }, content)
      }
      const { mails, total } = await listMails(app, { limit: 1, descending: false })
      assert.deepEqual([total, mails[0]?.subject], [INBOX_SIZE, `${MORE}`])
    })

    test('belongs to those who run the instance: reading it takes as much as writing', patient, async (t) => {
      const { call } = await open(t)
      for (const bearer of ['north', 'manager', 'viewer']) {
        await isRefused(call(listInboxMails, {}, { bearer }), 'access.forbidden')
        await isRefused(call(waitForMail, { recipient: 'a@b.example' }, { bearer }), 'access.forbidden')
      }
    })
  })
}
