/** Half an hour without an SMTP server, while the sending process is killed again and again: every email arrives once. */
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../test/support/free-port.ts'
import { startRaw, startSmtp, type TestSmtp } from '../../test/support/smtp.ts'
import { type Measured, percentile, type Run, type Scenario } from '../scenario.ts'
import { sendCarelessly } from './careless-sender.ts'
import { compareMails, type MailSender, startMailSender, untilSent } from './mail-server.ts'

const MINUTE_MS = 60_000
const OUTAGE_MINUTES = 30
/** A pause and the lease of a killed process. */
const LONGEST_MS = 180_000
/** A pause in the first hour, or a lease, is over after this. */
const PAUSE_MS = 61_000
/** Emails that one process sends at the same time: each of them can be repeated by a kill after the final dot. */
const AT_ONCE = 8

interface Size {
  /** How fast the clock passes in the outage. */
  readonly rate: number
  readonly mailsPerMinute: number
  readonly kills: number
  readonly killsWhileSending: number
  readonly mailsWhileSending: number
}

const SHORT: Size = { rate: 300, mailsPerMinute: 1, kills: 1, killsWhileSending: 1, mailsWhileSending: 60 }
const FULL: Size = { rate: 20, mailsPerMinute: 20, kills: 12, killsWhileSending: 10, mailsWhileSending: 1_000 }

/** Three kinds of outage, each for ten minutes: nothing listens, the server closes, the server takes no email now. */
async function startOutages(port: number) {
  const closing = () => startRaw((socket) => void socket.end('421 closing\r\n'), port)
  const deferring = () => startSmtp({ port, refuseData: () => [451, 'try later'] })
  return [async () => ({ close: async () => {} }), closing, deferring] as const
}

/** Adds users while the SMTP server is away; the process is killed from time to time. Returns how long each call took. */
async function sendIntoOutage(sender: MailSender, port: number, size: Size, run: Run): Promise<readonly number[]> {
  const outages = await startOutages(port)
  const minuteMs = MINUTE_MS / size.rate
  const killEvery = Math.floor(OUTAGE_MINUTES / (size.kills + 1))
  const latencies: number[] = []
  const perOutage = OUTAGE_MINUTES / outages.length
  for (const [index, start] of outages.entries()) {
    const outage = await start()
    try {
      for (let minute = index * perOutage; minute < (index + 1) * perOutage; minute++) {
        const until = performance.now() + minuteMs
        for (let mail = 0; mail < size.mailsPerMinute; mail++) latencies.push(await sender.addUser())
        if (minute > 0 && minute % killEvery === 0) await sender.killAndRestart()
        await sleep(Math.max(0, until - performance.now()))
      }
      run.say(`${(index + 1) * perOutage} minutes of outage, ${sender.asked.size} emails wait`)
    } finally {
      await outage.close()
    }
  }
  return latencies
}

/** Kills the process while it sends. Whatever was sent and not yet marked is sent again, with the same Message-ID. */
async function killWhileSending(sender: MailSender, server: TestSmtp, size: Size, run: Run): Promise<void> {
  const { killsWhileSending: kills, mailsWhileSending: mails } = size
  for (let kill = 0; kill < kills; kill++) {
    const before = server.mails.length
    const adding = Array.from({ length: Math.ceil(mails / kills) }, () => sender.addUser())
    await Promise.all(adding)
    // Some have been sent and some wait.
    while (server.mails.length === before) await sleep(1)
    await sender.killAndRestart()
    if (!run.isRealTime) await sender.pass(PAUSE_MS)
    await untilSent(sender, LONGEST_MS)
    run.say(`${kill + 1} kills while sending, ${server.mails.length} emails arrived`)
  }
}

async function measure(run: Run): Promise<Measured> {
  const size = { ...(run.isShort ? SHORT : FULL), ...(run.isRealTime && { rate: 1 }) }
  await using cleanUp = new AsyncDisposableStack()
  const port = await freePort()
  const sender = await startMailSender(cleanUp, { smtp: `127.0.0.1:${port}`, rate: size.rate })
  const latencies = await sendIntoOutage(sender, port, size, run)
  // Emails are sent at the usual pace: on a fast clock, a lease would end before the email is sent. Nor may one end because the
  // clock is moved while an attempt that holds it is on its way.
  if (!run.isRealTime) await sender.killAndRestart(() => sender.pass(PAUSE_MS))
  const server = await startSmtp({ port })
  cleanUp.defer(() => server.close())
  const backAt = performance.now()
  await untilSent(sender, LONGEST_MS)
  const recoveredSeconds = Math.round((performance.now() - backAt) / 1000)
  const outage = compareMails(sender.asked, server.mails)
  await killWhileSending(sender, server, size, run)
  const all = compareMails(sender.asked, server.mails)
  await sender.stop()
  const isOnce = outage.lost + outage.doubled + outage.repeated === 0
  const mostRepeated = size.killsWhileSending * AT_ONCE
  const speed = size.rate === 1 ? 'in real time' : `on a clock that passes ${size.rate} times as fast`
  return {
    done: `30 minutes without SMTP server (${speed}), ${size.kills} × kill -9 in it, then ${size.killsWhileSending} × kill -9 while sending`,
    figure: `outage: ${outage.lost} lost, ${outage.doubled + outage.repeated} doubled of ${outage.asked}; with kills while sending: ${all.lost} lost, ${all.doubled} doubled, ${all.repeated} repeated with the same Message-ID of ${all.asked}; p99 of calls ${percentile(latencies, 0.99).toFixed(0)} ms`,
    figures: {
      rate: size.rate,
      asked: outage.asked,
      lost: outage.lost,
      doubled: outage.doubled + outage.repeated,
      recoveredSeconds,
      askedInAll: all.asked,
      lostInAll: all.lost,
      doubledInAll: all.doubled,
      repeatedInAll: all.repeated,
    },
    isMet: isOnce && all.lost + all.doubled === 0 && all.repeated <= mostRepeated && outage.asked >= OUTAGE_MINUTES,
  }
}

export const smtpOutage: Scenario = {
  name: 'smtp-outage',
  title: 'half an hour without SMTP server and kills of the process: every email arrives, once',
  required: `0 lost, 0 doubled; a kill after the final dot repeats at most ${AT_ONCE} emails with the same Message-ID`,
  measure,
  control: { what: 'one try for each email, and jobs that are not leased', run: sendCarelessly },
}
