/**
 * Reports imports that break the structure: which layer may import which, only the `index.ts` of another module, no circles
 * between modules or between files (types included, the console too), pure deciders, the contract only at the edge of a
 * module, nothing of Node in the console, one way out into the network, and process.env only in src/config. And parts of
 * an answer outside the module that gives it, see answers.ts.
 */
import { globSync, readFileSync } from 'node:fs'
import { basename, dirname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'
import { answerProblems } from './answers.ts'
import { reportProblems } from './problems.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Each part of src, and the parts it may import beside itself. */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  kernel: [],
  theme: [],
  config: ['kernel'],
  store: ['kernel'],
  crypto: ['kernel'],
  outbound: ['kernel'],
  access: ['kernel', 'store', 'crypto'],
  module: ['kernel', 'store', 'crypto', 'outbound', 'access'],
  features: ['kernel', 'theme', 'store', 'crypto', 'outbound', 'access', 'module'],
  http: ['kernel', 'store', 'crypto', 'access', 'module', 'features'],
  openid: ['kernel', 'store', 'crypto', 'access', 'module', 'features', 'http'],
  web: ['kernel', 'theme', 'store', 'crypto', 'access', 'module', 'features', 'http'],
  saml: ['kernel', 'crypto', 'store', 'module', 'features', 'http'],
  scim: ['kernel', 'store', 'crypto', 'access', 'module', 'features', 'http'],
  ssf: ['kernel', 'store', 'crypto', 'access', 'module', 'features', 'http'],
  mcp: ['kernel', 'store', 'crypto', 'access', 'module', 'features', 'http'],
  'modules.ts': ['store', 'module', 'features'],
  'app.ts': [
    'kernel',
    'config',
    'store',
    'crypto',
    'outbound',
    'access',
    'module',
    'features',
    'http',
    'openid',
    'mcp',
    'saml',
    'scim',
    'ssf',
    'web',
    'modules.ts',
  ],
  cli: ['kernel', 'config', 'store', 'crypto', 'access', 'module', 'features', 'http', 'app.ts', 'modules.ts'],
  'main.js': ['config', 'cli'],
}

const declaredPure =
  /^src\/(features\/[^/]+\/(events|refusals|decider|decisions\/[^/]+)|access\/(paths|roles|role-permissions))\.ts$/
const inside = /^src\/features\/[^/]+\/(documents|jobs)\.ts$/

/** The one folder that may use the code of oidc-provider, its private files too; others may use its types. */
const engineLibrary = 'src/openid/engine/library/'

/** The one file that may use the library of the Model Context Protocol. */
const agentLibrary = 'src/mcp/library.ts'

const connecting = /^node:(http|https|http2|net|tls|dgram)$/
/** SMTP is not HTTP; the file checks addresses by itself. */
const speaksAnotherProtocol: ReadonlySet<string> = new Set(['src/features/mail/transport.ts'])

function partOf(file: string): string {
  return file.split('/')[1] ?? ''
}
function moduleOf(file: string): string | undefined {
  return /^src\/features\/([^/]+)\//.exec(file)?.[1]
}

/** Functions of Node that only compute, in modules that also do more. */
const harmless = /^import \{ (?:(?:isIP(?:v4|v6)?|domainTo(?:ASCII|Unicode))(?:, )?)+ \} from 'node:(?:net|url)'$/gm

/** Types are gone before anything runs: importing one does not make a file less pure. */
const importedTypes = /^import type [^']+ from '(?:\.\.\/(?:\.\.\/store|[a-z-]+)\/index\.ts|oidc-provider)'$/gm

/** What every file imports for its types alone. */
const typeImports = /^import type [^']+ from '[^']+'$/gm

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
  [...texts].map(([file, text]) => [file, readImports(file, text.replaceAll(importedTypes, ''))]),
)

/** The files that match `pattern`, and the files of their module that they import. */
function withImports(pattern: RegExp): ReadonlySet<string> {
  const found = new Set(sources.filter((file) => pattern.test(file)))
  for (const file of found) {
    for (const target of imports.get(file) ?? []) if (moduleOf(target) === moduleOf(file)) found.add(target)
  }
  return found
}
const pure = withImports(declaredPure)
const inner = new Set([...pure, ...withImports(inside)])

/** Why `file` must not import `target`; undefined when it may. */
function problemWith(file: string, target: string): string | undefined {
  const isLocal = target.startsWith('src/') || target.startsWith('contract/')
  if (/^(test|tools|bench|faults|console)\//.test(target)) return 'is not part of the server'
  const isUsed = runtimeImports.get(file)?.includes(target)
  if (pure.has(file) && isUsed && !/^src\/(kernel|theme)\//.test(target) && !pure.has(target)) {
    return 'is not pure, and events, refusals, deciders and what they import must be'
  }
  if (target.startsWith('contract/') && inner.has(file)) {
    return 'is the contract, which only rpc files, messages and what serves them may import'
  }
  if (partOf(file) === 'features' && connecting.test(target) && !speaksAnotherProtocol.has(file)) {
    return 'opens connections: modules use app.fetchOutside'
  }
  if (/^oidc-provider(\/|$)/.test(target) && isUsed && !file.startsWith(engineLibrary)) {
    return `is used in ${engineLibrary} alone`
  }
  if (target.startsWith('@modelcontextprotocol/') && file !== agentLibrary) return `is used in ${agentLibrary} alone`
  if (!isLocal || target.startsWith('contract/')) return undefined
  const [from, to] = [partOf(file), partOf(target)]
  if (from !== to && !mayImport[from]?.includes(to)) return `is in ${to}, which ${from} may not import`
  const module = moduleOf(target)
  if (module && moduleOf(file) !== module && basename(target) !== 'index.ts') {
    return `is inside the module ${module}: import its index.ts`
  }
  return undefined
}

/** Every circle, once, as the nodes on it from the first by name back to it (Tarjan's strongly connected components). */
function findCircles(graph: ReadonlyMap<string, ReadonlySet<string>>): readonly (readonly string[])[] {
  const order = new Map<string, number>()
  const low = new Map<string, number>()
  const stack: string[] = []
  const circles: (readonly string[])[] = []
  const visit = (node: string): void => {
    order.set(node, order.size)
    low.set(node, order.get(node) ?? 0)
    stack.push(node)
    for (const next of graph.get(node) ?? []) {
      if (!order.has(next)) visit(next)
      if (stack.includes(next)) low.set(node, Math.min(low.get(node) ?? 0, low.get(next) ?? 0))
    }
    if (low.get(node) !== order.get(node)) return
    const members = stack.splice(stack.indexOf(node))
    if (members.length > 1) circles.push(members.sort())
  }
  for (const node of [...graph.keys()].sort()) if (!order.has(node)) visit(node)
  return circles
}

const consoleTexts = new Map(
  globSync('console/src/**/*.{ts,tsx}', { cwd: root })
    .sort()
    .map((file) => [file, readFileSync(join(root, file), 'utf8')]),
)

/** What of the server runs in the browser, by way of the console, and which file of the console brings it there. */
function inBrowser(): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  for (const [file, text] of consoleTexts) {
    for (const target of readImports(file, text.replaceAll(typeImports, ''))) {
      if (target.startsWith('src/')) found.set(target, file)
    }
  }
  for (const [target, file] of found) {
    const used = readImports(target, (texts.get(target) ?? '').replaceAll(typeImports, ''))
    for (const next of used) if (texts.has(next) && !found.has(next)) found.set(next, file)
  }
  return found
}

/** What is wrong with what the console imports. */
function consoleProblems(): readonly string[] {
  const foreign = [...consoleTexts].flatMap(([file, text]) =>
    readImports(file, text)
      .filter((target) => /^(test|tools|bench|faults|console\/build)\//.test(target) || target.startsWith('node:'))
      .map((target) => `${file} imports ${target}, which is not part of the console`),
  )
  const ofNode = [...inBrowser()].flatMap(([target, file]) =>
    /(?:from|import)\s*\(?\s*'node:/.test((texts.get(target) ?? '').replaceAll(typeImports, ''))
      ? [`${file} brings ${target} into the browser, which imports a part of Node`]
      : [],
  )
  return [...foreign, ...ofNode]
}

export const problems: string[] = [...consoleProblems()]
const modules = new Map<string, Set<string>>()
const files = new Map<string, ReadonlySet<string>>()
for (const [file, text] of texts) {
  if (text.includes('process.env') && partOf(file) !== 'config')
    problems.push(`${file} reads process.env: src/config does`)
  problems.push(...answerProblems(file, text))
  files.set(file, new Set((imports.get(file) ?? []).filter((target) => texts.has(target))))
  for (const target of imports.get(file) ?? []) {
    const why = problemWith(file, target)
    if (why) problems.push(`${file} imports ${target}, which ${why}`)
    const [from, to] = [moduleOf(file), moduleOf(target)]
    if (from && to && from !== to) modules.set(from, (modules.get(from) ?? new Set()).add(to))
  }
}
for (const [file, text] of consoleTexts) {
  problems.push(...answerProblems(file, text))
  files.set(file, new Set(readImports(file, text).filter((target) => consoleTexts.has(target))))
}
for (const circle of findCircles(modules)) problems.push(`modules form a circle: ${circle.join(', ')}`)
for (const circle of findCircles(files)) problems.push(`files form a circle: ${circle.join(', ')}`)
/** What listens, takes port 0 and tells its port; whoever must know a port before asks the one file that hands them out. */
const ports = 'test/support/free-port.ts'
const code = globSync('{src,test,tools,bench,faults,examples,packages}/**/*.ts', {
  cwd: root,
  exclude: ['**/node_modules'],
})
for (const file of code) {
  const text = file.includes('node_modules') || file === ports ? '' : readFileSync(join(root, file), 'utf8')
  if (/\.close\(\(\) => \w+\([^)]*port/i.test(text) || /function \w*(?:free|closed)Port\(/i.test(text))
    problems.push(`${file} guesses a port: ${ports} hands them out`)
}
/** What is published by itself: it cannot bring files of the server along. */
for (const file of globSync('packages/**/*.{ts,js}', { cwd: root, exclude: ['**/node_modules', '**/files'] })) {
  for (const target of readImports(file, readFileSync(join(root, file), 'utf8')))
    if (/^(src|contract|test|tools|bench|faults|console|examples)\//.test(target))
      problems.push(`${file} imports ${target}: packages import nothing from outside of packages`)
}
if (import.meta.main) reportProblems(problems)
