/**
 * Imports one human user: adds them exactly as AddHumanUser does, detects existing users, and retries after temporary
 * errors. An import has no rules of its own.
 */
import { setTimeout as sleepFor } from 'node:timers/promises'
import type { AddHumanUserRequest } from '../../../../contract/gen/signet/user/v2/human_pb.ts'
import { type Call, type Place, withAuthorizationListener } from '../../../access/call.ts'
import { type RefusalKind, Refused } from '../../../kernel/refusal.ts'
import { type App, perApp } from '../../../module/app.ts'
import { addHumanUser } from '../../humans/index.ts'
import { canonicalName, isLiving, users } from '../../users/index.ts'
import { openLanes, openTurns } from '../import-lanes.ts'

/** The result of an import that was not refused. */
export interface Imported {
  readonly status: 'created' | 'exists'
  readonly userId: string
  /** Set only for new users, and only if the request asked for it. */
  readonly emailCode?: string
  readonly phoneCode?: string
}

/** A human user to import, and the call that imports it. */
export interface ImportedHuman {
  readonly request: AddHumanUserRequest
  /** The call with the current state of the caller. */
  currentCall(): Promise<Call>
  /** Aborted when waiting for another try is pointless. */
  readonly signal: AbortSignal
}

/** Imports one human user. Rejects with the refusal of AddHumanUser. */
export type ImportHuman = (human: ImportedHuman) => Promise<Imported>

/** Options that only tests set. */
export interface ImportOptions {
  /** AddHumanUser. It must check the permission before anything else. */
  readonly addHuman?: (
    app: App,
    request: AddHumanUserRequest,
    call: Call,
  ) => Promise<Pick<Imported, 'emailCode' | 'phoneCode'>>
  readonly sleep?: (milliseconds: number, signal: AbortSignal) => Promise<void>
}

/**
 * Password hashing is slow by design. This many at once keep the hashing threads busy and leave their queue to users
 * who sign in.
 */
const HASHED_AT_ONCE = 4

const hashingTurns = perApp(() => openTurns(HASHED_AT_ONCE))

/** How often an import is tried, by the kind of the refusal. Other kinds are tried once. */
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

/** Ends AddHumanUser once it is authorized and the user turns out to exist. */
class AlreadyExists extends Error {
  override readonly name = 'AlreadyExists'
}

/** The ID and the name, which must be unique. */
function lanesOf({ userId, username, email }: AddHumanUserRequest): readonly string[] {
  const name = username ?? email?.email ?? ''
  const byName = `name ${canonicalName(name) ?? name}`
  return userId === undefined ? [byName] : [byName, `id ${userId}`]
}

/** The organization of the human user with this ID; undefined when there is none, or when it is a machine user. */
async function organizationOf(app: App, userId: string): Promise<string | undefined> {
  const user = await app.store.get(users, userId)
  return user !== undefined && isLiving(user.state) && user.state.type === 'human' ? user.owner : undefined
}

function isIdTaken(error: unknown): boolean {
  return error instanceof Refused && error.code === 'user.id_taken'
}

type Add = NonNullable<ImportOptions['addHuman']>

async function addOnce(
  app: App,
  add: Add,
  request: AddHumanUserRequest,
  userId: string,
  call: Call,
  /** Whether there can be the user: by an ID of the caller, or by an earlier try. */
  mayExist: boolean,
): Promise<Imported> {
  const current = mayExist ? await organizationOf(app, userId) : undefined
  let target: Place | undefined
  const watched = withAuthorizationListener(call, (place) => {
    target = place
    // Checked before the password is hashed, so that repeating an import is cheap.
    if (place === current) throw new AlreadyExists()
  })
  try {
    const { emailCode, phoneCode } = await add(app, request, watched)
    if (target === undefined) throw new Error('AddHumanUser never asked for permission')
    return { status: 'created', userId, ...(emailCode && { emailCode }), ...(phoneCode && { phoneCode }) }
  } catch (error) {
    const exists =
      error instanceof AlreadyExists ||
      // Added meanwhile, by another line with this ID or another import of the same file.
      (mayExist && isIdTaken(error) && target === (await organizationOf(app, userId)))
    if (exists) return { status: 'exists', userId }
    throw error
  }
}

/** Starts an import. If two users have the same ID or name, the first one gets it. */
export function beginImport(app: App, options: ImportOptions = {}): ImportHuman {
  const { addHuman = addHumanUser, sleep = sleepUnlessAborted } = options
  const inLane = openLanes()

  const addPatiently = async ({ request, currentCall, signal }: ImportedHuman): Promise<Imported> => {
    const isOwnId = request.userId === undefined
    // All tries use the same ID, so that a user whose response was lost is recognized at the next try.
    let userId = request.userId ?? app.newId()
    for (let tries = 1; ; tries++) {
      request.userId = userId
      try {
        const imported = await addOnce(app, addHuman, request, userId, await currentCall(), !isOwnId || tries > 1)
        return isOwnId ? { ...imported, status: 'created' } : imported
      } catch (error) {
        // Somebody else has this one.
        if (isOwnId && isIdTaken(error)) {
          userId = app.newId()
          tries = 0
          continue
        }
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
