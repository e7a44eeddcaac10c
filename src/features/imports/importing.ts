/**
 * One person of an import: added exactly as AddHumanUser adds them, found when they are there already, and tried again
 * when it was only a bad moment. An import has no rules of its own.
 */
import { setTimeout as sleepFor } from 'node:timers/promises'
import type { AddHumanUserRequest } from '../../../contract/gen/signet/user/v2/human_pb.ts'
import { type Call, withAuthorizationListener } from '../../access/call.ts'
import type { NewId } from '../../kernel/id.ts'
import { type RefusalKind, Refused } from '../../kernel/refusal.ts'
import type { Store } from '../../store/index.ts'
import { canonicalName, isLiving, users } from '../users/index.ts'
import { openLanes, openTurns } from './turns.ts'

/** What became of a person who was not refused. */
export interface Imported {
  readonly status: 'created' | 'exists'
  readonly userId: string
  /** Only for somebody new, and only when the request asked for it. */
  readonly emailCode?: string
  readonly phoneCode?: string
}

type Codes = Pick<Imported, 'emailCode' | 'phoneCode'>

/** A person to be imported, and who wants it. */
export interface ImportedPerson {
  readonly request: AddHumanUserRequest
  /** Who calls, as of now. */
  currentCall(): Promise<Call>
  /** Aborted when it is no longer worth waiting for better times. */
  readonly signal: AbortSignal
}

export interface ImportsNeeds {
  readonly store: Pick<Store, 'get'>
  readonly newId: NewId
  /** AddHumanUser, as the user service answers it. It must ask for permission before it does anything else. */
  addHuman(request: AddHumanUserRequest, call: Call): Promise<Codes>
  /** How it waits; tests pass their own. */
  readonly sleep?: (milliseconds: number, signal: AbortSignal) => Promise<void>
}

/** Imports one person; rejects with the refusal of AddHumanUser when the person cannot be added. */
export type ImportPerson = (person: ImportedPerson) => Promise<Imported>

export interface Imports {
  /** Begins an import. Where two of its people want the same id or name, the one who came first gets it. */
  begin(): ImportPerson
}

/**
 * Passwords in clear are hashed, which is made to be slow. So many at once keep the hashing threads busy and leave
 * their queue to the people who sign in meanwhile.
 */
const HASHED_AT_ONCE = 4

/** How often a person is tried, by what stood in the way: passing troubles of ours are not the caller's. */
const TRIES: Readonly<Partial<Record<RefusalKind, number>>> = { exhausted: 10, aborted: 10, unavailable: 5 }
const FIRST_PAUSE_MS = 50
const LONGEST_PAUSE_MS = 2_000

/** How long to wait before the next try; undefined when there is to be none. */
function pauseAfter(error: unknown, tries: number): number | undefined {
  if (!(error instanceof Refused) || tries >= (TRIES[error.kind] ?? 1)) return undefined
  return Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (tries - 1))
}

async function sleepUnlessAborted(milliseconds: number, signal: AbortSignal): Promise<void> {
  await sleepFor(milliseconds, undefined, { signal }).catch(() => {})
}

/** Ends AddHumanUser as soon as it is allowed and known that there is nothing to add. */
class AlreadyThere extends Error {
  override readonly name = 'AlreadyThere'
}

/** What only one person can have. */
function lanesOf({ userId, username, email }: AddHumanUserRequest): readonly string[] {
  const name = username ?? email?.email ?? ''
  const byName = `name ${canonicalName(name) ?? name}`
  return userId === undefined ? [byName] : [byName, `id ${userId}`]
}

/** Opens the imports of one process. */
export function openImports(needs: ImportsNeeds): Imports {
  const { store, newId, addHuman, sleep = sleepUnlessAborted } = needs
  const takeTurn = openTurns(HASHED_AT_ONCE)

  /** The organization of the person with this id; undefined when there is none, or a machine has it. */
  const homeOf = async (userId: string): Promise<string | undefined> => {
    const user = await store.get(users, userId)
    return user !== undefined && isLiving(user.state) && user.state.type === 'human' ? user.owner : undefined
  }

  const addOnce = async (request: AddHumanUserRequest, userId: string, call: Call): Promise<Imported> => {
    const home = await homeOf(userId)
    let target: string | undefined
    const watched = withAuthorizationListener(call, (owner) => {
      target = owner
      // Before the password is hashed: whoever sends a file again shall not pay for it again.
      if (owner === home) throw new AlreadyThere()
    })
    try {
      const { emailCode, phoneCode } = await addHuman(request, watched)
      if (target === undefined) throw new Error('AddHumanUser never asked for permission')
      return { status: 'created', userId, ...(emailCode && { emailCode }), ...(phoneCode && { phoneCode }) }
    } catch (error) {
      const isThere =
        error instanceof AlreadyThere ||
        // Somebody else was quicker: another line with this id, or another import of the same file.
        (error instanceof Refused && error.code === 'user.id_taken' && target === (await homeOf(userId)))
      if (isThere) return { status: 'exists', userId }
      throw error
    }
  }

  const addPatiently = async ({ request, currentCall, signal }: ImportedPerson): Promise<Imported> => {
    const isOurId = request.userId === undefined
    // Chosen once for all tries: so a try whose outcome was never heard is recognised by the next one.
    const userId = request.userId ?? newId()
    request.userId = userId
    for (let tries = 1; ; tries++) {
      try {
        const imported = await addOnce(request, userId, await currentCall())
        return isOurId ? { ...imported, status: 'created' } : imported
      } catch (error) {
        const pause = pauseAfter(error, tries)
        if (pause === undefined || signal.aborted) throw error
        await sleep(pause, signal)
        if (signal.aborted) throw error
      }
    }
  }

  return {
    begin() {
      const inLane = openLanes()
      return (person) => {
        const { request } = person
        const isHashed = request.passwordType.case === 'password'
        return inLane(lanesOf(request), () => (isHashed ? takeTurn(() => addPatiently(person)) : addPatiently(person)))
      }
    },
  }
}
