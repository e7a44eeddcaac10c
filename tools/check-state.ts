/**
 * Reports state that a file of src keeps for the whole process: one process can serve several instances, and what one of
 * them knows must not reach another. State lives in `perApp`; what is meant to be of the process has a reason in
 * module-state.ts.
 */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseAst } from 'rolldown/parseAst'
import { REASONS } from './module-state.ts'
import { reportProblems } from './problems.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

interface Node {
  readonly type: string
  readonly [member: string]: unknown
}

/** Objects of these classes do not change, or belong to one call. */
const CONSTANT: ReadonlySet<string> = new Set([
  ...['RegExp', 'URL', 'TextEncoder', 'TextDecoder', 'Uint8Array', 'AsyncLocalStorage', 'Date'],
  ...['NumberFormat', 'DateTimeFormat', 'Collator', 'PluralRules', 'ListFormat', 'Segmenter', 'DisplayNames'],
])
/** Objects of these change only by what their file does with them. */
const FILLED: ReadonlySet<string> = new Set(['Map', 'Set', 'Array', 'BlockList'])
const CHANGES: ReadonlySet<string> = new Set([
  ...[
    'set',
    'add',
    'delete',
    'clear',
    'push',
    'pop',
    'shift',
    'unshift',
    'splice',
    'sort',
    'reverse',
    'fill',
    'copyWithin',
  ],
])
/** Functions with such names return something that remembers. */
const OPENS = /^(?:open|start|once|lazy|memo|watch|remember)(?:[A-Z]|$)/

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && typeof (value as Node).type === 'string'
}

function* partsOf(node: Node): Generator<Node> {
  for (const value of Object.values(node)) {
    if (Array.isArray(value)) yield* value.filter(isNode)
    else if (isNode(value)) yield value
  }
}

function* everything(node: Node): Generator<Node> {
  yield node
  for (const part of partsOf(node)) yield* everything(part)
}

const nameOf = (node: unknown): string => (isNode(node) && typeof node.name === 'string' ? node.name : '')

/** The variable at the beginning of `a.b.c`. */
function rootOf(node: unknown): string {
  if (!isNode(node)) return ''
  return node.type === 'MemberExpression' ? rootOf(node.object) : nameOf(node)
}

/** The names that a function has for itself: inside, they hide names of the file. */
function ownNames(node: Node): readonly string[] {
  if (!/Function/.test(node.type)) return []
  const names: string[] = []
  for (const part of everything(node)) {
    if (part.type === 'VariableDeclarator') names.push(...[...everything(part.id as Node)].map(nameOf))
  }
  for (const parameter of node.params as readonly Node[]) names.push(...[...everything(parameter)].map(nameOf))
  return names
}

/** Everything in a node that means the variables of the file, with what is hidden there. */
function* visible(node: Node, hidden: ReadonlySet<string>): Generator<{ node: Node; hidden: ReadonlySet<string> }> {
  yield { node, hidden }
  const own = ownNames(node)
  const inside = own.length === 0 ? hidden : new Set([...hidden, ...own])
  for (const part of partsOf(node)) yield* visible(part, inside)
}

/** The variables whose contents a program changes. */
function changedIn(program: Node): ReadonlySet<string> {
  const changed = new Set<string>()
  for (const { node, hidden } of visible(program, new Set(['']))) {
    const note = (one: unknown) => {
      if (isNode(one) && one.type === 'MemberExpression' && !hidden.has(rootOf(one))) changed.add(rootOf(one))
    }
    if (node.type === 'AssignmentExpression') note(node.left)
    else if (node.type === 'UpdateExpression') note(node.argument)
    else if (node.type === 'UnaryExpression' && node.operator === 'delete') note(node.argument)
    else if (node.type === 'CallExpression') {
      const { callee, arguments: given } = node as Node & { readonly callee: Node; readonly arguments: readonly Node[] }
      if (callee.type === 'MemberExpression' && CHANGES.has(nameOf(callee.property))) note(callee)
      if (rootOf(callee) === 'Object' && ['assign', 'defineProperty'].includes(nameOf(callee.property)))
        changed.add(nameOf(given[0]))
    }
  }
  return changed
}

function isReadonlyType(annotation: unknown): boolean {
  const type = isNode(annotation) ? annotation.typeAnnotation : undefined
  if (!isNode(type)) return false
  if (type.type === 'TSTypeOperator') return type.operator === 'readonly'
  return /^Readonly(?:Set|Map|Array)?$/.test(nameOf(type.typeName))
}

function withoutType(node: unknown): Node | undefined {
  if (!isNode(node)) return undefined
  return ['TSAsExpression', 'TSSatisfiesExpression', 'TSNonNullExpression'].includes(node.type)
    ? withoutType(node.expression)
    : node
}

interface Declared {
  readonly name: string
  readonly value: unknown
  readonly isReadonly: boolean
  readonly isExported: boolean
  readonly isChanged: boolean
}

function isState({ value, isReadonly, isExported, isChanged }: Declared): boolean {
  const made = withoutType(value)
  if (made === undefined) return isChanged
  if (made.type === 'NewExpression') {
    const name = nameOf(
      isNode(made.callee) && made.callee.type === 'MemberExpression' ? made.callee.property : made.callee,
    )
    if (CONSTANT.has(name)) return false
    return FILLED.has(name) ? isChanged || (isExported && !isReadonly) : true
  }
  if (made.type === 'CallExpression') {
    const callee = withoutType(made.callee)
    if (OPENS.test(nameOf(callee))) return true
    const isAtOnce = callee?.type === 'ArrowFunctionExpression' || callee?.type === 'FunctionExpression'
    if (isAtOnce && callee !== undefined) {
      for (const part of everything(callee))
        if (part.type === 'VariableDeclaration' && part.kind !== 'const') return true
    }
  }
  return isChanged
}

interface Found {
  readonly name: string
  readonly start: number
}

/** The state that a text declares for the whole process. */
export function stateIn(text: string, file: string): readonly Found[] {
  const program = parseAst(text, { lang: file.endsWith('.js') ? 'js' : 'ts' }, file) as unknown as Node
  const changed = changedIn(program)
  const found: Found[] = []
  for (const outer of program.body as readonly Node[]) {
    const isExported = outer.type.startsWith('Export')
    const statement = isExported && isNode(outer.declaration) ? outer.declaration : outer
    const start = Number(statement.start)
    if (statement.type === 'VariableDeclaration' && statement.declare !== true) {
      for (const { id, init } of statement.declarations as readonly { id: Node; init: unknown }[]) {
        const name = nameOf(id)
        const declared = { name, value: init, isReadonly: isReadonlyType(id.typeAnnotation), isExported }
        if (statement.kind !== 'const' || isState({ ...declared, isChanged: changed.has(name) }))
          found.push({ name, start })
      }
    } else if (statement.type === 'ClassDeclaration') {
      for (const member of (statement.body as Node).body as readonly Node[]) {
        if (member.type !== 'PropertyDefinition' || member.static !== true) continue
        const declared = { name: nameOf(member.key), value: member.value, isExported: false, isChanged: false }
        if (member.readonly === true && !isState({ ...declared, isReadonly: true })) continue
        found.push({ name: `${nameOf(statement.id)}.${declared.name}`, start: Number(member.start) })
      }
    }
  }
  return found
}

const files = globSync('src/**/*.{ts,js}', { cwd: root, exclude: ['**/node_modules'] })
  // What a browser runs has one page.
  .filter((file) => !/\.test\.ts$|\.d\.ts$|^src\/web\/assets\//.test(file))
  .sort()

function problemsIn(): readonly string[] {
  const unused = new Set(Object.keys(REASONS))
  const missing = files.flatMap((file) => {
    const text = readFileSync(join(root, file), 'utf8')
    return stateIn(text, file).flatMap(({ name, start }) => {
      const key = `${file} ${name}`
      unused.delete(key)
      if (Object.hasOwn(REASONS, key)) return []
      const line = text.slice(0, start).split('\n').length
      return [
        `${file}:${line} ${name} is state of the whole process: keep it in perApp, or say in tools/module-state.ts why not`,
      ]
    })
  })
  return [...missing, ...[...unused].map((key) => `tools/module-state.ts explains ${key}, which is no state`)]
}

export const problems: readonly string[] = problemsIn()
if (import.meta.main) reportProblems(problems)
