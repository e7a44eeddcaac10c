/**
 * Says which import breaks the house rules: who may import whom, the front doors of rooms and no circle among them,
 * pure deciders, the contract only at the edge of a room, one way out into the network, and process.env only in src/config.
 */
import { globSync, readFileSync } from 'node:fs'
import { basename, dirname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Each folder of src, and the folders it may import beside itself. */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  kernel: [],
  config: ['kernel'],
  store: ['kernel'],
  crypto: ['kernel'],
  access: ['kernel', 'store', 'crypto'],
  features: ['kernel', 'store', 'crypto', 'access'],
  http: ['kernel', 'store', 'crypto', 'access', 'features'],
  web: ['kernel', 'store', 'crypto', 'access', 'features', 'http'],
  cli: ['kernel', 'config', 'store', 'crypto', 'access', 'features', 'http'],
  'kinds.ts': ['store', 'features'],
  rooms: ['kernel', 'store', 'crypto', 'access', 'features'],
  'rooms.ts': ['kernel', 'store', 'crypto', 'access', 'features', 'kinds.ts', 'rooms'],
  'house.ts': ['kernel', 'config', 'store', 'crypto', 'access', 'features', 'http', 'web', 'cli', 'rooms.ts'],
  'main.js': ['config', 'cli', 'house.ts'],
}

const declaredPure = /^src\/features\/[^/]+\/(events|refusals|decider|decisions\/[^/]+)\.ts$/
const heart = /^src\/features\/[^/]+\/(documents|jobs)\.ts$/

const connecting = /^node:(http|https|http2|net|tls|dgram)$/
/** What is not HTTP asks the guard by itself. */
const speaksAnotherProtocol: ReadonlySet<string> = new Set(['src/features/mail/transport.ts'])

function areaOf(file: string): string {
  return file.split('/')[1] ?? ''
}
function roomOf(file: string): string | undefined {
  return /^src\/features\/([^/]+)\//.exec(file)?.[1]
}

/** Functions of Node that only compute, in modules that also do more. */
const harmless = /^import \{ (?:(?:isIP(?:v4|v6)?|domainTo(?:ASCII|Unicode))(?:, )?)+ \} from 'node:(?:net|url)'$/gm

/** Types are gone before anything runs: whose they are does not make a file less pure. */
const typesOfRooms = /^import type [^']+ from '\.\.\/(?:\.\.\/store|[a-z-]+)\/index\.ts'$/gm

function readImports(file: string, text: string): readonly string[] {
  return [...text.replaceAll(harmless, '').matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map(([, name = '']) =>
    name.startsWith('.') ? normalize(join(dirname(file), name)) : name,
  )
}

const sources = globSync(['src/**/*.ts', 'src/*.js', 'src/config/*.js'], { cwd: root }).filter(
  (file) => !file.endsWith('.test.ts'),
)
const texts = new Map(sources.sort().map((file) => [file, readFileSync(join(root, file), 'utf8')]))
const imports = new Map([...texts].map(([file, text]) => [file, readImports(file, text)]))
const runtimeImports = new Map(
  [...texts].map(([file, text]) => [file, readImports(file, text.replaceAll(typesOfRooms, ''))]),
)

/** The files that match `pattern`, and the files of their room that they import. */
function withImports(pattern: RegExp): ReadonlySet<string> {
  const found = new Set(sources.filter((file) => pattern.test(file)))
  for (const file of found) {
    for (const target of imports.get(file) ?? []) if (roomOf(target) === roomOf(file)) found.add(target)
  }
  return found
}
const pure = withImports(declaredPure)
const inner = new Set([...pure, ...withImports(heart)])

/** Why `file` must not import `target`, if so. */
function objection(file: string, target: string): string | undefined {
  const isLocal = target.startsWith('src/') || target.startsWith('contract/')
  if (/^(test|tools|bench|console)\//.test(target)) return 'is not part of the server'
  const isUsed = runtimeImports.get(file)?.includes(target)
  if (pure.has(file) && isUsed && !target.startsWith('src/kernel/') && !pure.has(target)) {
    return 'is not pure, and events, refusals, deciders and what they import are'
  }
  if (target.startsWith('contract/') && inner.has(file)) {
    return 'is the contract, which only the edge of a room touches: rpc.ts, index.ts and files that serve them'
  }
  if (areaOf(file) === 'features' && connecting.test(target) && !speaksAnotherProtocol.has(file)) {
    return 'opens connections, and rooms go out through src/access/outbound-fetch.ts'
  }
  if (!isLocal || target.startsWith('contract/')) return undefined
  const [from, to] = [areaOf(file), areaOf(target)]
  if (from !== to && !mayImport[from]?.includes(to)) return `is in ${to}, which ${from} may not import`
  const room = roomOf(target)
  if (room && roomOf(file) !== room && from === 'features' && basename(target) !== 'index.ts') {
    return `lies behind the front of ${room}: import its index.ts`
  }
  return undefined
}

/** The rooms on a circle of imports that passes through `start`, or nothing. */
function circleThrough(rooms: ReadonlyMap<string, ReadonlySet<string>>, start: string): readonly string[] | undefined {
  const seen = new Set<string>()
  const walk = (room: string, path: readonly string[]): readonly string[] | undefined => {
    if (room === start && path.length > 0) return [...path, room]
    if (seen.has(room)) return undefined
    if (path.length > 0) seen.add(room)
    for (const next of rooms.get(room) ?? []) {
      const circle = walk(next, [...path, room])
      if (circle) return circle
    }
    return undefined
  }
  return walk(start, [])
}

const problems: string[] = []
const rooms = new Map<string, Set<string>>()
for (const [file, text] of texts) {
  if (text.includes('process.env') && areaOf(file) !== 'config')
    problems.push(`${file} reads process.env: src/config does`)
  for (const target of imports.get(file) ?? []) {
    const why = objection(file, target)
    if (why) problems.push(`${file} imports ${target}, which ${why}`)
    const [from, to] = [roomOf(file), roomOf(target)]
    if (from && to && from !== to) rooms.set(from, (rooms.get(from) ?? new Set()).add(to))
  }
}
for (const room of [...rooms.keys()].sort()) {
  const circle = circleThrough(rooms, room)
  if (circle && circle.slice().sort()[0] === room) problems.push(`rooms form a circle: ${circle.join(' → ')}`)
}
for (const problem of problems) console.error(problem)
if (problems.length > 0) process.exitCode = 1
