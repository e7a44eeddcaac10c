/** The control of the email scenarios: emails that are tried once, and jobs that are not leased. */

import { AdminService } from '../../contract/gen/signet/admin/v1/admin_pb.ts'
import { mailJobs } from '../../src/features/mail/jobs.ts'
import { freePort } from '../../test/support/free-port.ts'
import { until, withMails } from '../../test/support/parts/mails.ts'
import { startSmtp } from '../../test/support/smtp.ts'
import { openWorld } from '../../test/support/world.ts'
import type { Caught } from '../scenario.ts'
import { compareMails } from './mail-server.ts'

const MAILS = 20
const boss = { bearer: 'boss' }

function settingsOf(port: number) {
  return { senderAddress: 'mail@signet.example', senderName: 'The Sender', host: `127.0.0.1:${port}` }
}

/** Tries each email once while the SMTP server is away. Returns how many never arrive. */
async function countLostWithoutRetry(): Promise<number> {
  await using cleanUp = new AsyncDisposableStack()
  const world = await openWorld({}, withMails())
  cleanUp.defer(() => world.dispose())
  const port = await freePort()
  await world.call(AdminService.method.addSMTPConfig, settingsOf(port), boss)
  const asked = new Set(Array.from({ length: MAILS }, (_, number) => `user${number}@mouse.example`))
  for (const to of asked) await world.ask({ to })
  const { handlers } = mailJobs(world.app)
  const once = { clock: world.app.clock, pollMilliseconds: 5, pauseAfter: () => undefined }
  const runner = world.store.jobs.run(handlers, once)
  cleanUp.defer(() => runner.stop())
  await until(async () => (await world.store.jobs.count('mail')).waiting === 0)
  const server = await startSmtp({ port })
  cleanUp.defer(() => server.close())
  runner.wake()
  return compareMails(asked, server.mails).lost
}

/** Two nodes take the same jobs, because neither leases them. Returns how many further copies arrive. */
async function countCopiesWithoutLease(): Promise<number> {
  await using cleanUp = new AsyncDisposableStack()
  const world = await openWorld({}, withMails())
  cleanUp.defer(() => world.dispose())
  const server = await startSmtp()
  cleanUp.defer(() => server.close())
  await world.call(AdminService.method.addSMTPConfig, settingsOf(server.port), boss)
  const asked = new Set(Array.from({ length: MAILS }, (_, number) => `user${number}@mouse.example`))
  for (const to of asked) await world.ask({ to })
  const other = await world.another()
  for (const { app, store } of [world, other]) {
    const { handlers, options } = mailJobs(app)
    const unleased = { ...options, clock: app.clock, pollMilliseconds: 5, leaseMilliseconds: 0 }
    const runner = store.jobs.run(handlers, unleased)
    cleanUp.defer(() => runner.stop())
  }
  await until(async () => (await world.store.jobs.count('mail')).waiting === 0)
  return compareMails(asked, server.mails).repeated
}

/** Without retries emails are lost, and without leases they are sent twice. */
export async function sendCarelessly(): Promise<Caught> {
  const lost = await countLostWithoutRetry()
  const repeated = await countCopiesWithoutLease()
  return {
    figure: `${lost} of ${MAILS} lost without retries, ${repeated} further copies without leases`,
    isCaught: lost > 0 && repeated > 0,
  }
}
