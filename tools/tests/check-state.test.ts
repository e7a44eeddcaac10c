import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { problems, stateIn } from '../check-state.ts'

const namesIn = (text: string) => stateIn(text, 'a.ts').map(({ name }) => name)

suite('the check of state of the process', () => {
  test('finds nothing in ours that has no reason', () => {
    assert.deepEqual(problems, [])
  })

  const wrong: Readonly<Record<string, string>> = {
    'a variable': 'let a = 0',
    'an exported variable': 'export let a: string | undefined',
    'a map that is filled': 'const a = new Map<string, number>()\nexport const f = () => a.set("b", 1)',
    'a set that others can fill': 'export const a = new Set<string>()',
    'a list that grows': 'const a: string[] = []\nfunction f() { a.push("b") }',
    'a member that is assigned': 'const a = { known: undefined as string | undefined }\nfunction f() { a.known = "b" }',
    'a member of a member': 'const a = { known: new Map() }\nfunction f() { a.known.set("b", 1) }',
    'a counter': 'const a = { n: 0 }\nfunction f() { a.n++ }',
    'a weak map': 'const a = new WeakMap<object, string>()',
    'an object of a class of ours': 'const a = new Places(2_000, 1_000, 50)',
    'what a function opens': 'const a = openTurns(4)',
    'what a function remembers inside': 'const a = (() => { let b = 0; return () => b++ })()',
    'a member of a class': 'export class A { static b = 0 }',
    'a private member of a class that is filled': 'class A { static readonly #b = new Cache() }',
  }
  for (const [name, text] of Object.entries(wrong)) {
    test(`finds ${name}`, () => assert.equal(namesIn(text).length, 1, text))
  }

  const right: Readonly<Record<string, string>> = {
    'a table': 'export const A: ReadonlyMap<string, number> = new Map([["b", 1]])\nconst B = { c: 1 } as const',
    'a list that is only read': 'const A = ["b"]\nexport const f = () => A.map((b) => b.length)',
    'an expression': 'const A = /b/\nconst B = new RegExp("c")',
    'a function': 'export const f = (a: Map<string, number>) => a.set("b", 1)',
    'state of one app': 'export const a = perApp(() => new Map<string, number>())',
    'state of one object': 'export class A { #b = new Map<string, number>() }',
    'a name that a function has for itself':
      'const a = computation({})\nfunction f() { const a: string[] = []; a.push("b") }\nfunction g(a: Set<string>) { a.add("b") }',
  }
  for (const [name, text] of Object.entries(right)) {
    test(`lets ${name} be`, () => assert.deepEqual(namesIn(text), [], text))
  }
})
