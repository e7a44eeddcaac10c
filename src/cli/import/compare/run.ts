/** `signet import compare`: says how two servers differ, object by object, and counts what agrees. */
import type { Config } from '../../../config/index.ts'
import { groupDigits, showProgress } from '../../progress.ts'
import { CannotCall, isUnprotected, readTarget, type TargetFlags } from '../../server-target.ts'
import { compareAccess } from './access.ts'
import { type Compared, compareServers, type DifferentObject } from './compare.ts'
import { Keycloak } from './keycloak.ts'

/** What stands on the command line. */
export interface CompareFlags extends TargetFlags {
  readonly sourceTokenFile: string
  readonly every: number
  readonly ignore: readonly string[]
  readonly json?: boolean
  /** The realm, if the source is a Keycloak. */
  readonly realm?: string
}

export interface CompareRun {
  readonly config: Config
  /** The address of the other server. */
  readonly source: string
  readonly flags: CompareFlags
  say(line: string): void
  complain(line: string): void
}

function show(value: unknown): string {
  return value === undefined ? 'nothing' : JSON.stringify(value)
}

function describe({ question, id, differences }: DifferentObject): readonly string[] {
  const where = id === '' ? question : `${question} ${id}`
  return differences.map(({ member, source, target }) =>
    member === ''
      ? `${where}: ${String(source)} in the source, ${String(target)} in the target`
      : `${where}: ${member}: ${show(source)} in the source, ${show(target)} in the target`,
  )
}

function summarize({ question, objects, different, unanswered }: Compared): string {
  const counts = `${question}: ${groupDigits(objects)} compared, ${groupDigits(different)} differ`
  return unanswered === undefined ? counts : `${counts}; not complete: ${unanswered}`
}

/** Compares, prints, and answers the exit code: 0 when everything was compared and nothing differs. */
export async function runCompare({ config, source, flags, say, complain }: CompareRun): Promise<number> {
  const { sourceTokenFile, every, ignore, json = false, realm, ...target } = flags
  const [there, here] = await Promise.all([
    readTarget(config, { url: source, tokenFile: sourceTokenFile }),
    readTarget(config, target),
  ])
  if (there.url === here.url) throw new CannotCall('Source and target are the same server.')
  for (const { url } of [there, here]) {
    if (isUnprotected(url)) complain(`${url}: the token and all answers cross the network in clear.`)
  }
  let objects = 0
  const progress = json ? undefined : showProgress(process.stderr, () => `${groupDigits(objects)} objects compared`)
  const answering = { ...here, side: 'target' } as const
  const heard = {
    onProgress(count: number) {
      objects = count
    },
    onDifference(different: DifferentObject) {
      if (json) say(JSON.stringify(different))
      else for (const line of describe(different)) say(line)
    },
  }
  const comparing =
    realm === undefined
      ? compareServers({ source: { ...there, side: 'source' }, target: answering, every, ignored: ignore, ...heard })
      : compareAccess({ keycloak: new Keycloak(source, realm, there.token), target: answering, ...heard })
  const results = await comparing.finally(() => progress?.stop())
  if (json) say(JSON.stringify({ results }))
  else for (const result of results) say(summarize(result))
  return results.every(({ different, unanswered }) => different === 0 && unanswered === undefined) ? 0 : 1
}
