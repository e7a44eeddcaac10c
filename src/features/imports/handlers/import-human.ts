/**
 * Imports one human: adds them exactly as AddHumanUser does, finds those who exist already, and tries again after
 * temporary troubles. An import has no rules of its own.
 */
import { setTimeout as sleepFor } from 'node:timers/promises'
import type { AddHumanUserRequest } from '../../../../contract/gen/signet/user/v2/human_pb.ts'
import { type App, perApp } from '../../../access/app.ts'
import { type Call, withAuthorizationListener } from '../../../access/call.ts'
import { type RefusalKind, Refused } from '../../../kernel/refusal.ts'
import { addHumanUser } from '../../humans/index.ts'
import { canonicalName, isLiving, users } from '../../users/index.ts'
import { openLanes, openTurns } from '../turns.ts'

/** The result of an import that was not refused. */
export interface Imported {
  readonly status: 'created' | 'exists'
  readonly userId: string
  /** Only for new humans, and only when the request asked for it. */
  readonly emailCode?: string
  readonly phoneCode?: string
}

/** A human to be imported, and on whose behalf. */
export interface ImportedHuman {
  readonly request: AddHumanUserRequest
  /** The call with the caller as of now. */
  currentCall(): Promise<Call>
  /** Aborted when waiting for another try is pointless. */
  readonly signal: AbortSignal
}

/** Imports one human; rejects with the refusal of AddHumanUser when the human cannot be added. */
export type ImportHuman = (human: ImportedHuman) => Promise<Imported>

/** What only tests replace. */
export interface ImportOptions {
  /** AddHumanUser. It must ask for permission before it does anything else. */
  readonly addHuman?: (
    app: App,
    request: AddHumanUserRequest,
    call: Call,
  ) => Promise<Pick<Imported, 'emailCode' | 'phoneCode'>>
  readonly sleep?: (milliseconds: number, signal: AbortSignal) => Promise<void>
}

/**
 * Hashing passwords is made to be slow. This many at once keep the hashing threads busy and leave their queue to users
 * who sign in meanwhile.
 */
const HASHED_AT_ONCE = 4

const hashingTurns = perApp(() => openTurns(HASHED_AT_ONCE))

/** How often a human is tried, by the kind of the refusal. The kinds that are not listed are tried once. */
const TRIES: Readonly<Partial<Record<RefusalKind, number>>> = { exhausted: 10, aborted: 10, unavailable: 5 }
const FIRST_PAUSE_MS = 50
const LONGEST_PAUSE_MS = 2_000

/** How long to wait before the next try; undefined when there is none. */
function pauseAfter(error: unknown, tries: number): number | undefined {
  if (!(error instanceof Refused) || tries >= (TRIES[error.kind] ?? 1)) return undefined
  return Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (tries - 1))
}

async function sleepUnlessAborted(milliseconds: number, signal: AbortSignal): Promise<void> {
  await sleepFor(milliseconds, undefined, { signal }).catch(() => {})
}

/** Ends AddHumanUser as soon as it is permitted and the human turns out to exist. */
class AlreadyExists extends Error {
  override readonly name = 'AlreadyExists'
}

/** The id and the name, which only one user can have. */
function lanesOf({ userId, username, email }: AddHumanUserRequest): readonly string[] {
  const name = username ?? email?.email ?? ''
  const byName = `name ${canonicalName(name) ?? name}`
  return userId === undefined ? [byName] : [byName, `id ${userId}`]
}

/** The organization of the human with this id; undefined when there is none, or a machine has the id. */
async function organizationOf(app: App, userId: string): Promise<string | undefined> {
  const user = await app.store.get(users, userId)
  return user !== undefined && isLiving(user.state) && user.state.type === 'human' ? user.owner : undefined
}

type Add = NonNullable<ImportOptions['addHuman']>

async function addOnce(
  app: App,
  add: Add,
  request: AddHumanUserRequest,
  userId: string,
  call: Call,
): Promise<Imported> {
  const current = await organizationOf(app, userId)
  let target: string | undefined
  const watched = withAuthorizationListener(call, (owner) => {
    target = owner
    // Before the password is hashed, so that sending a file again is cheap.
    if (owner === current) throw new AlreadyExists()
  })
  try {
    const { emailCode, phoneCode } = await add(app, request, watched)
    if (target === undefined) throw new Error('AddHumanUser never asked for permission')
    return { status: 'created', userId, ...(emailCode && { emailCode }), ...(phoneCode && { phoneCode }) }
  } catch (error) {
    const exists =
      error instanceof AlreadyExists ||
      // Added meanwhile: by another line with this id, or another import of the same file.
      (error instanceof Refused && error.code === 'user.id_taken' && target === (await organizationOf(app, userId)))
    if (exists) return { status: 'exists', userId }
    throw error
  }
}

/** Begins an import. Where two of its humans want the same id or name, the first one gets it. */
export function beginImport(app: App, options: ImportOptions = {}): ImportHuman {
  const { addHuman = addHumanUser, sleep = sleepUnlessAborted } = options
  const inLane = openLanes()

  const addPatiently = async ({ request, currentCall, signal }: ImportedHuman): Promise<Imported> => {
    const isOwnId = request.userId === undefined
    // The same id for all tries: a try whose answer was lost is recognised by the next one.
    const userId = request.userId ?? app.newId()
    request.userId = userId
    for (let tries = 1; ; tries++) {
      try {
        const imported = await addOnce(app, addHuman, request, userId, await currentCall())
        return isOwnId ? { ...imported, status: 'created' } : imported
      } catch (error) {
        const pause = pauseAfter(error, tries)
        if (pause === undefined || signal.aborted) throw error
        await sleep(pause, signal)
        if (signal.aborted) throw error
      }
    }
  }

  return (human) => {
    const isHashed = human.request.passwordType.case === 'password'
    const add = () => addPatiently(human)
    return inLane(lanesOf(human.request), () => (isHashed ? hashingTurns(app)(add) : add()))
  }
}
