/**
 * No name can be resolved: the name server is silent, which blocks a thread of the process for seconds. Emails wait, calls
 * do not, and every email arrives once when names are resolved again.
 */
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startSmtp } from '../../test/support/smtp.ts'
import { isInTime, type Measured, percentile, type Run, type Scenario } from '../scenario.ts'
import { mountObstacle } from '../storage/loop-mount.ts'
import { sendCarelessly } from './careless-sender.ts'
import { compareMails, startMailSender, untilSent } from './mail-server.ts'

const MAIL_HOST = 'mail.signet.test'
/** An address of this machine on which a name server receives questions and answers none. */
const SILENT_SERVER = '127.53.53.53'
const LONGEST_CALL_MS = 1_000

interface Size {
  readonly outageMs: number
  /** Of the resolver; its defaults are 5 seconds and 2 tries. */
  readonly resolver: string
  readonly rate: number
  readonly mails: number
}

const SHORT: Size = { outageMs: 4_000, resolver: 'options timeout:1 attempts:1\n', rate: 5, mails: 20 }
const FULL: Size = { outageMs: 60_000, resolver: '', rate: 1, mails: 200 }

/** Gives the server its own /etc/hosts and /etc/resolv.conf. */
const OWN_NAMES = 'mount --bind "$1" /etc/hosts && mount --bind "$2" /etc/resolv.conf && shift 2 && exec "$@"'

async function startSilentNameServer(cleanUp: AsyncDisposableStack): Promise<() => number> {
  const socket = createSocket('udp4')
  let questions = 0
  socket.on('message', () => questions++)
  socket.bind(53, SILENT_SERVER)
  await once(socket, 'listening')
  cleanUp.defer(() => void socket.close())
  return () => questions
}

async function measure(run: Run): Promise<Measured> {
  const { outageMs, resolver, rate, mails } = run.isShort ? SHORT : FULL
  await using cleanUp = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'signet-dns-'))
  cleanUp.defer(() => rm(folder, { recursive: true, force: true }))
  const [hosts, resolv] = [join(folder, 'hosts'), join(folder, 'resolv.conf')]
  await writeFile(hosts, '127.0.0.1 localhost\n')
  await writeFile(resolv, `nameserver ${SILENT_SERVER}\n${resolver}`)
  const countQuestions = await startSilentNameServer(cleanUp)
  const server = await startSmtp()
  cleanUp.defer(() => server.close())
  const wrapper = ['unshare', '--mount', 'sh', '-c', OWN_NAMES, 'sh', hosts, resolv]
  const sender = await startMailSender(cleanUp, { smtp: `${MAIL_HOST}:${server.port}`, rate, wrapper })
  const latencies: number[] = []
  for (let mail = 0; mail < mails; mail++) {
    latencies.push(await sender.addUser())
    await sleep(outageMs / mails)
  }
  const arrivedEarly = server.mails.length
  const questions = countQuestions()
  await writeFile(hosts, `127.0.0.1 localhost ${MAIL_HOST}\n`)
  await untilSent(sender, 180_000)
  const { asked, lost, doubled, repeated } = compareMails(sender.asked, server.mails)
  await sender.stop()
  const longestMs = Math.round(Math.max(...latencies))
  return {
    done: `a silent name server for ${outageMs / 1000} s while emails wait and calls are made (${questions} questions)`,
    figure: `${lost} lost, ${doubled + repeated} doubled of ${asked} emails; calls p99 ${percentile(latencies, 0.99).toFixed(0)} ms, longest ${longestMs} ms`,
    figures: { asked, lost, doubled: doubled + repeated, longestMs, questions },
    isMet:
      lost + doubled + repeated === 0 &&
      arrivedEarly === 0 &&
      questions > 0 &&
      isInTime(run, longestMs, LONGEST_CALL_MS),
  }
}

export const dnsFailure: Scenario = {
  name: 'dns-failure',
  title: 'without name resolution emails wait and calls do not; afterwards every email arrives, once',
  required: `0 lost, 0 doubled; no call longer than ${LONGEST_CALL_MS} ms`,
  // It needs the same rights: to mount.
  obstacle: mountObstacle,
  measure,
  control: { what: 'one try for each email, and jobs that are not leased', run: sendCarelessly },
}
