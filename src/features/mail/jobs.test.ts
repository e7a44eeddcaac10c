/** Mail after the commit: never lost, never doubled but where SMTP cannot know, parked in the end. */

import assert from 'node:assert/strict'
import { suite, type TestContext, test } from 'node:test'
import { AdminService } from '../../../contract/gen/signet/admin/v1/admin_pb.ts'
import { MessageType } from '../../../contract/gen/signet/mail/v1/mail_pb.ts'
import { MailService } from '../../../contract/gen/signet/mail/v1/mail_service_pb.ts'
import { afterwards } from '../../../test/support/afterwards.ts'
import { bothEngines } from '../../../test/support/engines.ts'
import { freePort } from '../../../test/support/free-port.ts'
import { headerOf, type MailWorld, settled, until, withMails } from '../../../test/support/parts/mails.ts'
import { type SmtpOptions, startRaw, startSmtp, type TestSmtp } from '../../../test/support/smtp.ts'
import { openWorld } from '../../../test/support/world.ts'
import { instant } from '../../kernel/instant.ts'
import { MAIL_CONCURRENCY, mailCounts, mailJobs, mailPause } from './jobs.ts'
import { enqueueMail } from './queue.ts'
import { type Link, publicLink } from './url-template.ts'

const boss = { bearer: 'boss' }
const { addSMTPConfig, updateSMTPConfig } = AdminService.method
const patient = { timeout: 600_000 }

function settings(port: number) {
  return {
    senderAddress: 'mail@signet.example',
    senderName: 'The Sender',
    host: `127.0.0.1:${port}`,
  }
}

function messageIds({ mails }: TestSmtp): readonly string[] {
  return mails.map(({ headers }) => headerOf(headers, 'message-id'))
}

for (const engine of bothEngines) {
  suite(`mail after the commit on ${engine.name}`, () => {
    const open = async (t: TestContext, options: SmtpOptions = {}) => {
      const world = await openWorld({ engine }, withMails())
      afterwards(t, () => world.dispose())
      const server = await startSmtp(options)
      afterwards(t, () => server.close())
      await world.call(addSMTPConfig, settings(server.port), boss)
      return { world, server }
    }

    const run = (t: TestContext, world: Pick<MailWorld, 'run'>) => {
      const runner = world.run()
      afterwards(t, () => runner.stop())
      return runner
    }

    test('many mails of an organization do not wait in front of the mail of another', patient, async (t) => {
      const { world } = await open(t)
      const send = (organizationId: string, count: number) =>
        world.store.write({ actor: { user: 'a' }, at: world.clock.now }, async (work) => {
          const about = { to: `mail@${organizationId}.example`, userId: 'u', organizationId, language: 'en' }
          const request = { type: 'verify_email', ...about, values: { displayName: 'x' } } as const
          for (let number = 0; number < count; number++) await enqueueMail(world.app, work, request)
        })
      await send('south', 520)
      await send('north', 1)
      const due = async (organizationId: string) => {
        const jobs = await world.store.jobs.list({ kind: 'mail', limit: 1_000 })
        const own = jobs.filter(({ data }) => (data as { organizationId: string }).organizationId === organizationId)
        return own.map(({ dueAt }) => dueAt - world.clock.now).sort((a, b) => a - b)
      }
      const south = await due('south')
      assert.deepEqual([south[0], south[499], south[500], south[519]], [0, 0, 20, 400])
      assert.deepEqual(await due('north'), [0])
    })

    test('a mail leaves with the commit that asked for it, and not without it', patient, async (t) => {
      const { world, server } = await open(t)
      run(t, world)
      await assert.rejects(
        world.store.write({ actor: { user: 'a' }, at: world.clock.now }, async (work) => {
          const values = { displayName: 'x' }
          const about = { to: 'no@mouse.example', userId: 'u', organizationId: 'north', language: 'en' }
          await enqueueMail(world.app, work, { type: 'verify_email', ...about, values })
          throw new Error('and then something went wrong')
        }),
      )
      await world.ask()
      await settled(world.store, 'mail')
      assert.deepEqual(
        server.mails.map(({ to }) => to),
        [['mini@mouse.example']],
      )
      assert.deepEqual(mailCounts(world.app), { sent: 1, inbox: 0, delayed: 0, parked: 0 })
    })

    test(
      'a mail that is refused permanently is parked with the reason, listed, and sent again when asked',
      patient,
      async (t) => {
        let isKnown = false
        const { world, server } = await open(t, {
          refuseRcpt: () => (isKnown ? undefined : [550, '5.1.1 no such mailbox']),
        })
        run(t, world)
        await world.ask()
        await until(async () => (await world.store.jobs.count('mail')).parked === 1)
        const { mails, pagination } = await world.call(MailService.method.listParkedMails, {}, boss)
        assert.equal(pagination?.totalResult, 1n)
        const [parked] = mails
        assert.equal(parked?.to, 'mini@mouse.example')
        assert.equal(parked?.type, MessageType.VERIFY_EMAIL)
        assert.deepEqual([parked?.userId, parked?.organizationId, parked?.attempts], ['mini', 'north', 1])
        assert.match(parked?.lastError ?? '', /550 5\.1\.1 no such mailbox/)
        assert.equal(mailCounts(world.app).parked, 1)
        const none = await world.call(MailService.method.listParkedMails, { recipient: 'other@mouse.example' }, boss)
        assert.deepEqual(none.mails, [])
        const some = await world.call(MailService.method.listParkedMails, { recipient: 'MINI@mouse.example' }, boss)
        assert.equal(some.mails.length, 1)

        isKnown = true
        const { resendParkedMails } = MailService.method
        assert.equal((await world.call(resendParkedMails, { ids: ['no such'] }, boss)).count, 0)
        assert.equal((await world.call(resendParkedMails, {}, boss)).count, 1)
        await settled(world.store, 'mail')
        assert.deepEqual(messageIds(server), [`<${parked?.id}@signet.example>`])
        assert.deepEqual((await world.call(MailService.method.listParkedMails, {}, boss)).mails, [])
      },
    )

    test('a job of another kind is not sent again as a mail', patient, async (t) => {
      const world = await openWorld({ engine }, withMails())
      afterwards(t, () => world.dispose())
      await world.store.write({ actor: { user: 'a' }, at: world.clock.now }, async (work) =>
        work.enqueue({ kind: 'other', data: {} }),
      )
      const runner = world.store.jobs.run(
        {
          other: async () => {
            throw new Error('no')
          },
        },
        { pauseAfter: () => undefined, clock: () => world.clock.now },
      )
      afterwards(t, () => runner.stop())
      await until(async () => (await world.store.jobs.count()).parked === 1)
      const [job] = await world.store.jobs.list({ kind: 'other', parked: true, limit: 1 })
      const { resendParkedMails, listParkedMails } = MailService.method
      assert.equal((await world.call(resendParkedMails, { ids: [job?.id ?? ''] }, boss)).count, 0)
      assert.deepEqual((await world.call(listParkedMails, {}, boss)).mails, [])
    })

    test('an outage of half an hour loses nothing and doubles nothing', patient, async (t) => {
      const world = await openWorld({ engine }, withMails())
      afterwards(t, () => world.dispose())
      const port = await freePort()
      await world.call(addSMTPConfig, settings(port), boss)
      run(t, world)
      const start = world.clock.now
      const MAILS = 20
      for (let minute = 0; minute < 30; minute++) {
        if (minute < MAILS) await world.ask({ to: `user${minute}@mouse.example` })
        world.clock.now = instant(world.clock.now + 60_000)
        const before = world.failures.length
        const failed = () => new Set(world.failures.slice(before).map(({ id }) => id)).size
        // All of them: a try that ended only after the server was back would make the others wait for it again.
        await until(() => failed() === Math.min(minute + 1, MAILS))
      }
      const server = await startSmtp({ port })
      afterwards(t, () => server.close())
      const back = world.clock.now
      assert.equal(back - start, 1_800_000)
      // One pause is at most a minute in the first hour.
      world.clock.now = instant(back + 60_000)
      await settled(world.store, 'mail')
      assert.deepEqual(
        server.mails.map(({ to }) => to[0]).sort(),
        Array.from({ length: MAILS }, (_, number) => `user${number}@mouse.example`).sort(),
      )
      assert.equal(new Set(messageIds(server)).size, MAILS)
      assert.equal((await world.store.jobs.count('mail')).parked, 0)
    })

    test(
      'a process that dies between sending and marking leaves at most the same mail once more',
      patient,
      async (t) => {
        const { world, server } = await open(t)
        await world.ask()
        const dying = await world.another()
        // It has sent the mail when it falls silent permanently.
        let hasSent = false
        const lost = dying.store.jobs.run(
          {
            mail: async (job) => {
              await mailJobs(dying.app).handlers.mail?.(job)
              hasSent = true
              await new Promise((_, reject) => job.signal.addEventListener('abort', reject))
            },
          },
          // One at a time: the dead do not take their own job again.
          { clock: () => world.clock.now, pollMilliseconds: 5, pauseAfter: () => 1, concurrency: 1 },
        )
        afterwards(t, () => lost.stop())
        await until(() => hasSent)
        run(t, world)
        // The lease of the dead process runs out.
        world.clock.now = instant(world.clock.now + 61_000)
        await settled(world.store, 'mail')
        const ids = messageIds(server)
        assert.equal(ids.length, 2)
        assert.equal(ids[0], ids[1])
      },
    )

    test('a connection lost after the final dot costs one more copy with the same Message-ID', patient, async (t) => {
      let drops = 1
      const { world, server } = await open(t, { afterDot: () => (drops-- > 0 ? 'drop' : 'answer') })
      run(t, world)
      await world.ask()
      await until(() => world.failures.length === 1)
      world.clock.now = instant(world.clock.now + 10_000)
      await settled(world.store, 'mail')
      const ids = messageIds(server)
      assert.equal(ids.length, 2)
      assert.equal(ids[0], ids[1])
    })

    test('a recipient that is refused for now is tried again and does not hold up the others', patient, async (t) => {
      let isGrey = true
      const { world, server } = await open(t, {
        refuseRcpt: (address) => (isGrey && address.startsWith('grey') ? [450, 'try later'] : undefined),
      })
      run(t, world)
      await world.ask({ to: 'grey@mouse.example' })
      await until(() => world.failures.length === 1)
      await world.ask({ to: 'mini@mouse.example' })
      await until(() => server.mails.length === 1)
      isGrey = false
      world.clock.now = instant(world.clock.now + 10_000)
      await settled(world.store, 'mail')
      assert.deepEqual(
        server.mails.map(({ to }) => to[0]),
        ['mini@mouse.example', 'grey@mouse.example'],
      )
    })

    test('many mails that wait do not all connect to a server that is down', patient, async (t) => {
      const world = await openWorld({ engine }, withMails())
      afterwards(t, () => world.dispose())
      const down = await startRaw((socket) => socket.end('421 closing\r\n'))
      afterwards(t, () => down.close())
      await world.call(addSMTPConfig, settings(down.port), boss)
      const MAILS = 60
      for (let number = 0; number < MAILS; number++) await world.ask()
      run(t, world)
      await until(() => world.failures.length >= MAILS)
      assert.ok(down.connections() <= MAIL_CONCURRENCY, `${down.connections()} connections`)
    })

    test('a server that is put right is tried at once, not after the rest of the quiet time', patient, async (t) => {
      const world = await openWorld({ engine }, withMails())
      afterwards(t, () => world.dispose())
      const server = await startSmtp()
      afterwards(t, () => server.close())
      await world.call(addSMTPConfig, settings(await freePort()), boss)
      run(t, world)
      await world.ask({ to: 'first@mouse.example' })
      await until(() => world.failures.length === 1)
      await world.call(updateSMTPConfig, settings(server.port), boss)
      await world.ask({ to: 'second@mouse.example' })
      await until(() => server.mails.length === 1)
      assert.deepEqual(server.mails[0]?.to, ['second@mouse.example'])
    })
  })
}

test('a mail is tried for three days, each minute in the first hour', () => {
  const pauses: number[] = []
  for (let attempts = 1; ; attempts++) {
    const pause = mailPause(attempts)
    if (pause === undefined) break
    pauses.push(pause)
  }
  const total = pauses.reduce((sum, pause) => sum + pause, 0)
  assert.ok(total >= 3 * 86_400_000 && total < 3.1 * 86_400_000, String(total / 86_400_000))
  assert.deepEqual(pauses.slice(0, 5), [10_000, 20_000, 40_000, 60_000, 60_000])
  assert.equal(Math.max(...pauses), 3_600_000)
  let passed = 0
  for (const pause of pauses) {
    if (passed < 3_000_000) assert.ok(pause <= 60_000)
    passed += pause
  }
})

test('a link in a job is one that was made here', () => {
  const link: Link = publicLink('https://signet.example/ignored', '/p?c={{.Code}}', { Code: 'a b&c' })
  assert.equal(link, 'https://signet.example/p?c=a%20b%26c')
})
