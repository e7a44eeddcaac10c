/**
 * Which test files run, on which database, and which of them share a process. `npm test` decides whether the code is
 * right; `npm run test:all` adds the other database for every module, the browser and all faults.
 */
import { createHash } from 'node:crypto'

/** CI runs `short` and then `long`: every file but one, those about storage on both databases. */
export type Extent = 'short' | 'long' | 'all'

export type EngineName = 'sqlite' | 'postgres'

/** The files of one process. */
export interface Share {
  readonly files: readonly string[]
  /** The database of tests that run `for (const engine of engines)`; both when it is not set. */
  readonly engine: EngineName | undefined
}

export interface PlanOptions {
  readonly extent: Extent
  readonly hasPostgres: boolean
}

/**
 * Browsers, packages and faults that start many servers take minutes. `npm test` has a few of each, so that it notices when
 * they break altogether.
 */
const LONG: readonly RegExp[] = [
  /^test\/e2e\/(?!sign-in\.|sign-in-elsewhere\.|upstream-provider\.)/,
  /^test\/install\/(?!chart\.)/,
  /^test\/adoption\/(.*-run|kit-package)\./,
  /^test\/openid\/mcp-(conformance|other-clients)\./,
  /^test\/scim\/conformance\./,
  /^test\/(noninterference|escalation)\/whole\./,
  /^test\/contract\/(dates-of-changes|webhook-signatures)\./,
  /^test\/faults\/(bench-command|client-documents|clock|events-command|export|failed-start|fresh-server|ids|import)\./,
  /^test\/faults\/(follow-import|import-compare|mail-outage|operations|operator-errors)\./,
  /^test\/faults\/(outdated|postgres-nodes|rolling-upgrade|shutdown|shutdown-load|slow-clients|start|transfer)\./,
]

/** What takes a quarter of an hour and installs from registries of other languages: only `npm run test:all` has it. */
const ONLY_IN_ALL = /^test\/adoption\/further-frameworks-run\./

function isLong(file: string): boolean {
  return LONG.some((pattern) => pattern.test(file))
}

/** What takes minutes by itself begins first: at the end, the others would be done and a processor idle. */
const LONGEST =
  /^test\/(escalation\/whole|adoption\/(frameworks|fixtures|resource-tokens)-run|e2e\/(every-page|console-people|console-settings|documentation)|faults\/(transfer|shutdown|mail-outage|follow-import)|install\/release)\./

function longestFirst(files: readonly string[]): readonly string[] {
  return files.toSorted((a, b) => Number(LONGEST.test(b)) - Number(LONGEST.test(a)))
}

/** The engine of a file in `npm test`: always the same one, and over the tree each as often as the other. */
export function engineOf(file: string): EngineName {
  const [first = 0] = createHash('sha256').update(file).digest()
  return first % 2 === 0 ? 'sqlite' : 'postgres'
}

/** Loading the code takes a second of processor time, longer than most tests of modules, so these share a process. */
const FILES_OF_A_PROCESS = 10

/** Not those that measure a whole process, or take minutes by themselves. */
const SHARING =
  /^(src\/|test\/(openid|console|import|saml|scim|ssf)\/|test\/contract\/(?!(overload|metrics|metrics-bounds|telemetry)\.))/

function mayShare(file: string): boolean {
  return SHARING.test(file)
}

function share(files: readonly string[], engine: EngineName | undefined): readonly Share[] {
  const together = files.filter(mayShare)
  const count = Math.ceil(together.length / FILES_OF_A_PROCESS)
  const shares = Array.from({ length: count }, (_, share) => together.filter((_, index) => index % count === share))
  const alone = files.filter((file) => !mayShare(file)).map((file) => [file])
  return [...alone, ...shares].map((files) => ({ files, engine }))
}

/** Divides the files into processes, those that take longest first. */
export function planTests(all: readonly string[], { extent, hasPostgres }: PlanOptions): readonly Share[] {
  if (extent === 'all') return share(all, undefined)
  const files = all.filter((file) => !ONLY_IN_ALL.test(file))
  if (extent === 'long') return share(longestFirst(files.filter(isLong)), undefined)
  const choose = hasPostgres ? engineOf : () => 'sqlite' as const
  const on = (engine: EngineName) =>
    share(
      files.filter((file) => !isLong(file) && choose(file) === engine),
      engine,
    )
  return [...on('postgres'), ...on('sqlite')]
}
