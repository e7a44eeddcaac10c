/** A world for tests of emails and text messages: long timeouts, some callers, and a function to request an email. */
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import type { MailTransportOptions } from '../../src/access/app.ts'
import type { Caller } from '../../src/access/call.ts'
import { enqueueMail, type MailRequest } from '../../src/features/mail/index.ts'
import type { Store } from '../../src/store/index.ts'
import type { TestEngine } from './engines.ts'
import { openWorld, type World } from './world.ts'

export { NOON } from './world.ts'
export const INSTANCE = 'instance'

function onInstance(userId: string, ...roles: string[]): Caller {
  return { userId, organizationId: 'north', grants: [{ scope: 'instance', roles }] }
}

function inOrganization(organizationId: string, ...roles: string[]): Caller {
  return { userId: `${organizationId}-owner`, organizationId, grants: [{ scope: { organizationId }, roles }] }
}

const callers: Readonly<Record<string, Caller>> = {
  boss: onInstance('boss', 'IAM_OWNER'),
  viewer: onInstance('viewer', 'IAM_OWNER_VIEWER'),
  manager: onInstance('manager', 'IAM_USER_MANAGER'),
  north: inOrganization('north', 'ORG_OWNER'),
  south: inOrganization('south', 'ORG_OWNER'),
}

export interface MailWorld extends World {
  /** Requests an email. Values that are not set have defaults. */
  ask(request?: Partial<MailRequest>): Promise<void>
}

export interface MailWorldOptions {
  readonly engine?: TestEngine | undefined
  readonly transport?: MailTransportOptions
  readonly allowsPrivate?: boolean
}

/** A busy machine must not look like a dead SMTP server. A test of silence passes its own timeouts. */
const PATIENT = { greetingMilliseconds: 20_000, silenceMilliseconds: 20_000, graceMilliseconds: 50 }

export async function openMailWorld({
  engine,
  transport = {},
  allowsPrivate = true,
}: MailWorldOptions = {}): Promise<MailWorld> {
  const world = await openWorld({
    engine,
    organizations: ['north', 'south'],
    callers,
    config: {
      mailTransport: { ...PATIENT, ...transport },
      allowsPrivateNetwork: allowsPrivate,
      webhookTimeoutMs: 20_000,
    },
  })
  return {
    ...world,
    async ask(request = {}) {
      const usual: MailRequest = {
        type: 'verify_email',
        to: 'mini@mouse.example',
        userId: 'mini',
        organizationId: 'north',
        language: 'en',
        values: { displayName: 'Mini Mouse', userName: 'mini', code: 'ABC234' },
      }
      await world.store.write(world.origin(), (work) => enqueueMail(world.app, work, { ...usual, ...request }))
    },
  }
}

/** Waits until a condition is true. A test that waits in vain is ended by its time limit. */
export async function until(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await sleep(5)
}

/** Waits until no job is left, except those that are parked or due later. */
export async function settled(store: Store, kind: string): Promise<void> {
  await until(async () => (await store.jobs.count(kind)).waiting === 0)
}

/** The header of an email; fails unless there is exactly one. */
export function headerOf(headers: readonly (readonly [string, string])[], name: string): string {
  const found = headers.filter(([key]) => key === name)
  assert.equal(found.length, 1, `${name} is there ${found.length} times`)
  return found[0]?.[1] ?? ''
}
