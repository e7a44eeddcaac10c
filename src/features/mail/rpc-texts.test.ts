/** Texts that organizations and the instance set. */

import assert from 'node:assert/strict'
import { suite, type TestContext, test } from 'node:test'
import { MessageType } from '../../../contract/gen/signet/mail/v1/mail_pb.ts'
import { MailService } from '../../../contract/gen/signet/mail/v1/mail_service_pb.ts'
import { MessageTextSource } from '../../../contract/gen/signet/mail/v1/message_text_pb.ts'
import { afterwards } from '../../../test/support/afterwards.ts'
import { engines } from '../../../test/support/engines.ts'
import { until, withMails } from '../../../test/support/parts/mails.ts'
import { isRefused } from '../../../test/support/small-world.ts'
import { openWorld } from '../../../test/support/world.ts'
import { listInboxMails } from './inbox.ts'
import { mailCounts } from './jobs.ts'
import { resetTextsOf } from './message-texts.ts'

const [boss, north, south] = ['boss', 'north', 'south'].map((bearer) => ({ bearer }))
const { getMessageText, setMessageText, resetMessageText, listMessageTexts } = MailService.method
const invitation = { type: MessageType.INVITATION, language: 'en' }
const inNorth = { ...invitation, organizationId: 'north' }

for (const engine of engines) {
  suite(`texts of mails on ${engine.name}`, () => {
    const open = async (t: TestContext) => {
      const world = await openWorld({ engine }, withMails())
      afterwards(t, () => world.dispose())
      return world
    }

    test('the organization counts before the instance, and that before what is built in', async (t) => {
      const { call } = await open(t)
      const builtIn = await call(getMessageText, inNorth, north)
      assert.equal(builtIn.source, MessageTextSource.BUILT_IN)
      assert.equal(builtIn.text?.title, 'Welcome')
      assert.equal(builtIn.text?.html, undefined)
      await call(setMessageText, { ...invitation, text: { title: 'Instance', footer: 'F' } }, boss)
      assert.equal((await call(getMessageText, inNorth, north)).source, MessageTextSource.INSTANCE)
      await call(setMessageText, { ...inNorth, text: { title: 'North' } }, north)
      const set = await call(getMessageText, inNorth, north)
      assert.deepEqual([set.source, set.text?.title, set.text?.footer], [MessageTextSource.ORGANIZATION, 'North', 'F'])
      const elsewhere = await call(getMessageText, { ...invitation, organizationId: 'south' }, south)
      assert.equal(elsewhere.text?.title, 'Instance')
      // What is set replaces all that was set before.
      await call(setMessageText, { ...inNorth, text: { footer: 'G' } }, north)
      assert.equal((await call(getMessageText, inNorth, north)).text?.title, 'Instance')

      const { texts, pagination } = await call(listMessageTexts, { organizationId: 'north' }, north)
      assert.deepEqual(
        texts.map(({ type, language, organizationId, text }) => [
          type,
          language,
          organizationId,
          text?.footer,
          text?.title,
        ]),
        [[MessageType.INVITATION, 'en', 'north', 'G', undefined]],
      )
      assert.equal(pagination?.totalResult, 1n)
      assert.deepEqual((await call(listMessageTexts, { language: 'de' }, boss)).texts, [])
      assert.equal((await call(listMessageTexts, { type: MessageType.INVITATION }, boss)).texts.length, 1)

      await call(resetMessageText, inNorth, north)
      await isRefused(call(resetMessageText, inNorth, north), 'mail.text_not_set')
      assert.equal((await call(getMessageText, inNorth, north)).source, MessageTextSource.INSTANCE)
    })

    test('the type of a text message is refused by name: nothing can be set for it here', async (t) => {
      const { call } = await open(t)
      const ofPhone = { ...inNorth, type: MessageType.VERIFY_PHONE }
      await isRefused(call(setMessageText, { ...ofPhone, text: { subject: 'A' } }, north), 'mail.text_invalid', 'type')
      await isRefused(call(getMessageText, ofPhone, north), 'mail.text_invalid', 'type')
      await isRefused(call(resetMessageText, ofPhone, north), 'mail.text_invalid', 'type')
      const { type, organizationId } = ofPhone
      await isRefused(call(listMessageTexts, { type, organizationId }, north), 'mail.text_invalid', 'type')
    })

    test('mails say what is set when they are sent, in the language of their reader', async (t) => {
      const { call, ask, run, app } = await open(t)
      await call(
        setMessageText,
        { ...inNorth, type: MessageType.VERIFY_EMAIL, text: { subject: 'Nord' }, language: 'de' },
        north,
      )
      await ask({ language: 'de-CH' })
      await call(
        setMessageText,
        { ...inNorth, type: MessageType.VERIFY_EMAIL, text: { subject: 'Newer' }, language: 'de' },
        north,
      )
      await ask({ language: 'sv' })
      const runner = run()
      afterwards(t, () => runner.stop())
      await until(() => mailCounts(app).inbox === 2)
      const { mails } = await listInboxMails(app, { limit: 10 })
      assert.deepEqual(mails.map(({ subject }) => subject).sort(), ['Newer', 'Verify your email address'])
    })

    test('what could not be filled, or would be of no use, is refused at once', async (t) => {
      const { call } = await open(t)
      const refuse = (text: object, ...fields: string[]) =>
        isRefused(call(setMessageText, { ...inNorth, text }, north), 'mail.text_invalid', ...fields)
      await refuse(
        { subject: 'Hi {{.Password}}', text: '{{.Title}}', greeting: 'a {{ b' },
        'text.subject',
        'text.text',
        'text.greeting',
      )
      await refuse({ html: '<p>{{.Text}}</p>' }, 'text.html')
      await refuse({ html: '<p>{{.Link}} {{.Nope}}</p>' }, 'text.html')
      await refuse({}, 'text')
      await isRefused(
        call(setMessageText, { ...inNorth, text: { subject: 'a\r\nb' } }, north),
        'request.invalid',
        'text.subject',
      )
      const notice = { ...inNorth, type: MessageType.PASSWORD_CHANGED }
      await isRefused(call(setMessageText, { ...notice, text: { text: '{{.Code}}' } }, north), 'mail.text_invalid')
      await call(setMessageText, { ...notice, text: { html: '<p>{{.Text}}</p>' } }, north)
      await isRefused(
        call(getMessageText, { ...inNorth, language: 'sv' }, north),
        'mail.language_unsupported',
        'language',
      )
    })

    test('belong to the organization, or to those who run the instance', async (t) => {
      const { call } = await open(t)
      const text = { title: 'x' }
      await isRefused(call(setMessageText, { ...inNorth, text }, south), 'access.forbidden')
      await isRefused(call(getMessageText, inNorth, south), 'access.forbidden')
      await isRefused(call(setMessageText, { ...invitation, text }, north), 'access.forbidden')
      // Holds `policy.read` everywhere, but not `iam.policy.read`.
      const manager = { bearer: 'manager' }
      await call(getMessageText, inNorth, manager)
      await isRefused(call(getMessageText, invitation, manager), 'access.forbidden')
      await isRefused(call(listMessageTexts, {}, manager), 'access.forbidden')
      await isRefused(
        call(setMessageText, { ...inNorth, organizationId: 'nowhere', text }, boss),
        'organization.not_found',
      )
    })

    test('go with their organization', async (t) => {
      const { call, app, origin } = await open(t)
      for (const language of ['en', 'de', 'fr']) {
        await call(setMessageText, { ...inNorth, language, text: { title: 'x' } }, north)
      }
      const reset = () => resetTextsOf(app, 'north', origin(), 2)
      assert.deepEqual([await reset(), await reset(), await reset()], [2, 1, 0])
      assert.deepEqual((await call(listMessageTexts, { organizationId: 'north' }, north)).texts, [])
    })
  })
}
