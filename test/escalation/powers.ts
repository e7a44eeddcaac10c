/** What a token may do, as the server computes it over its API. */
import { AuthService } from '../../contract/gen/signet/auth/v1/auth_pb.ts'
import { Failed } from '../../src/http/protocols/errors.ts'
import { Refused } from '../../src/kernel/refusal.ts'
import { type Arena, type Neighbourhood, users } from './world.ts'

/** `org.write in home`; `project.write:new in home` is one on a project that was not there before. */
export type Powers = ReadonlySet<string>

/** What became of a call; undefined when it was refused. */
export async function unlessRefused<Value>(called: Promise<Value>): Promise<Value | undefined> {
  try {
    return await called
  } catch (error) {
    if (error instanceof Refused || error instanceof Failed) return undefined
    throw error
  }
}

/** A permission on one project or grant ends with its ID. */
function named(permission: string, { projects, things }: Neighbourhood): string {
  const [word = '', id] = permission.split(':')
  if (id === undefined) return word
  return `${word}:${projects.has(id) ? 'project' : id === things.projectGrantId ? 'grant' : 'new'}`
}

/** The user of a token; undefined when it is none. */
export async function userOf({ call }: Arena, bearer: string): Promise<string | undefined> {
  const reply = await unlessRefused(call(AuthService.method.getMyUser, {}, { bearer }))
  return reply?.user?.id
}

export async function powersOf({ call }: Arena, around: Neighbourhood, bearer: string): Promise<Powers> {
  const powers = new Set<string>()
  for (const [name, organizationId] of Object.entries(around.organizations)) {
    const { listMyZitadelPermissions } = AuthService.method
    const found = await unlessRefused(call(listMyZitadelPermissions, {}, { bearer, organizationId }))
    for (const permission of found?.result ?? []) powers.add(`${named(permission, around)} in ${name}`)
  }
  return powers
}

/** Those that are in `after` and follow from nothing in `before`: who may on all projects, may on each. */
export function gainedBetween(before: Powers, after: Powers): readonly string[] {
  return [...after].filter((power) => !before.has(power) && !before.has(power.replace(/:\w+/, '')))
}

/** Whether a token of somebody lets its holder change how they sign in: then it is worth all that they may. */
export async function mayAddKey({ call }: Arena, userId: string, bearer: string): Promise<boolean> {
  return (await unlessRefused(call(users.registerPasskey, { userId }, { bearer }))) !== undefined
}
