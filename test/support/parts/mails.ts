/** For tests of emails and text messages: long timeouts, some callers, and a function to request an email. */
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Caller } from '../../../src/access/call.ts'
import { enqueueMail, type MailRequest } from '../../../src/features/mail/index.ts'
import type { MailTransportOptions } from '../../../src/module/app.ts'
import type { Store } from '../../../src/store/index.ts'
import type { Part, WorldWith } from '../world.ts'

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

interface WithMails {
  /** Requests an email. Values that are not set have defaults. */
  ask(request?: Partial<MailRequest>): Promise<void>
}

export type MailWorld = WorldWith<WithMails>

interface MailOptions {
  readonly transport?: MailTransportOptions
  readonly allowsPrivate?: boolean
}

/** A busy machine must not look like a dead SMTP server. A test of silence passes its own timeouts. */
const PATIENT = { greetingMilliseconds: 20_000, silenceMilliseconds: 20_000, graceMilliseconds: 50 }

/** The callers in two organizations, and how an email is requested. */
export function withMails({ transport = {}, allowsPrivate = true }: MailOptions = {}): Part<WithMails> {
  const mailTransport = { ...PATIENT, ...transport }
  const config = { mailTransport, allowsPrivateNetwork: allowsPrivate, webhookTimeoutMs: 20_000 }
  return {
    options: { organizations: ['north', 'south'], callers, config },
    given: ({ app, store, origin }) => ({
      async ask(request = {}) {
        const usual: MailRequest = {
          type: 'verify_email',
          to: 'mini@mouse.example',
          userId: 'mini',
          organizationId: 'north',
          language: 'en',
          values: { displayName: 'Mini Mouse', userName: 'mini', code: 'ABC234' },
        }
        await store.write(origin(), (work) => enqueueMail(app, work, { ...usual, ...request }))
      },
    }),
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
