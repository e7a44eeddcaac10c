/** The rooms of mail and text messages with what they stand on, for their tests: one store, one vault, some callers. */
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Caller } from '../../src/access/call.ts'
import { openGuardedFetch } from '../../src/access/outbound-fetch.ts'
import { keyRing, newKey } from '../../src/crypto/key-ring.ts'
import { keyRings, type MasterKeys, openVault, type Vault } from '../../src/features/instances/index.ts'
import {
  inboxMails,
  type MailRequest,
  type MailRoom,
  messageTexts,
  openMail,
  openTransport,
  smtpConfigs,
  type TransportOptions,
} from '../../src/features/mail/index.ts'
import { organizationState, organizations } from '../../src/features/organizations/index.ts'
import { openSms, openWebhook, type SmsRoom, smsProviders } from '../../src/features/sms/index.ts'
import { newId } from '../../src/kernel/id.ts'
import { type Instant, instant } from '../../src/kernel/instant.ts'
import type { JobFailure, JobRunner, Store } from '../../src/store/index.ts'
import { openTestStore, type TestEngine } from './engines.ts'
import { type CallRoom, callRooms } from './room-calls.ts'

export const mailKinds = [keyRings, organizations, smtpConfigs, messageTexts, inboxMails, smsProviders]

export const INSTANCE = 'instance'
export const NOON = instant(1_800_000_000_000)

function onInstance(userId: string, ...roles: string[]): Caller {
  return {
    userId,
    organizationId: 'north',
    grants: [{ scope: 'instance', roles }],
  }
}
function inOrganization(organizationId: string, ...roles: string[]): Caller {
  return {
    userId: `${organizationId}-owner`,
    organizationId,
    grants: [{ scope: { organizationId }, roles }],
  }
}

const callers: Readonly<Record<string, Caller>> = {
  boss: onInstance('boss', 'IAM_OWNER'),
  viewer: onInstance('viewer', 'IAM_OWNER_VIEWER'),
  manager: onInstance('manager', 'IAM_USER_MANAGER'),
  north: inOrganization('north', 'ORG_OWNER'),
  south: inOrganization('south', 'ORG_OWNER'),
}

/** One process of the house. */
export interface MailNode {
  readonly store: Store
  readonly vault: Vault
  readonly call: CallRoom
  readonly mail: MailRoom
  readonly sms: SmsRoom
  /** Starts to run the jobs; failures are told to the house. */
  run(): JobRunner
}

export interface MailHouse extends MailNode {
  readonly masterKeys: MasterKeys
  readonly clock: { now: Instant }
  readonly failures: JobFailure[]
  /** Asks for a mail; what is not given is usual. */
  ask(request?: Partial<MailRequest>): Promise<void>
  /** Another process on the same data. */
  another(): Promise<MailNode>
  dispose(): Promise<void>
}

export interface MailHouseOptions {
  readonly engine?: TestEngine | undefined
  readonly transport?: TransportOptions
  readonly allowsPrivate?: boolean
}

/** A busy machine is not a dead mail server; a test about silence passes its own. */
const PATIENT = { greetingMilliseconds: 20_000, silenceMilliseconds: 20_000, graceMilliseconds: 50 }

export async function openMailHouse({
  engine,
  transport = {},
  allowsPrivate = true,
}: MailHouseOptions = {}): Promise<MailHouse> {
  const { store, another, dispose } = await openTestStore(mailKinds, engine)
  const clock = { now: NOON }
  const failures: JobFailure[] = []
  const origin = () => ({ actor: 'system', at: clock.now })
  const master = keyRing([newKey()])
  await store.write(origin(), async (work) => {
    for (const id of ['north', 'south']) {
      await work.decide(organizations, id, { type: 'add', name: `The ${id}` }, id)
    }
  })

  const nodeOn = async (on: Store): Promise<MailNode> => {
    const vault = await openVault({
      store: on,
      masterKeys: async () => master,
      instanceId: INSTANCE,
      origin: origin(),
    })
    const needs = { store: on, vault, newId, instanceId: INSTANCE, clock: () => clock.now }
    const mail = openMail({ ...needs, send: openTransport({ ...PATIENT, ...transport }) })
    const fetchOutside = openGuardedFetch({ allowsPrivate })
    const post = openWebhook({ allowsPrivate, fetchOutside, timeoutMilliseconds: 20_000 })
    const sms = openSms({ ...needs, allowsPrivate, post })
    const call = callRooms([...mail.methods, ...sms.methods], {
      identify: async (bearer) => callers[bearer],
      organization: (id) => organizationState(on, id),
      instanceId: INSTANCE,
      clock: () => clock.now,
    })
    const run = () => {
      const options = {
        ...mail.jobOptions,
        clock: () => clock.now,
        pollMilliseconds: 5,
        // A test that moves the clock must not end the leases of what is being done meanwhile.
        leaseMilliseconds: 10 * 86_400_000,
        onFailure: (failure: JobFailure) => failures.push(failure),
      }
      return on.jobs.run({ ...mail.jobs, ...sms.jobs }, options)
    }
    return { store: on, vault, call, mail, sms, run }
  }

  const node = await nodeOn(store)
  return {
    ...node,
    masterKeys: async () => master,
    clock,
    failures,
    async ask(request = {}) {
      const usual: MailRequest = {
        type: 'verify_email',
        to: 'mini@mouse.example',
        userId: 'mini',
        organizationId: 'north',
        language: 'en',
        values: { displayName: 'Mini Mouse', userName: 'mini', code: 'ABC234' },
      }
      await store.write(origin(), (work) => node.mail.enqueueMail(work, { ...usual, ...request }))
    },
    another: async () => nodeOn(await another()),
    dispose,
  }
}

/** Waits until something is true; a test that waits in vain is ended by its time limit. */
export async function until(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await sleep(5)
}

/** Waits until no job is left, but for those that are parked or due later. */
export async function settled(store: Store, kind: string): Promise<void> {
  return until(async () => (await store.jobs.count(kind)).waiting === 0)
}

/** The header of a mail; fails unless it is there once. */
export function headerOf(headers: readonly (readonly [string, string])[], name: string): string {
  const found = headers.filter(([key]) => key === name)
  assert.equal(found.length, 1, `${name} is there ${found.length} times`)
  return found[0]?.[1] ?? ''
}
