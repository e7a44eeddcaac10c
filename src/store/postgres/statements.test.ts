import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { migrations } from './migrations.ts'
import { statementsOf } from './statements.ts'

suite('PostgreSQL: statements of a text', () => {
  test('end at a semicolon, but not inside texts, names, comments and bodies', () => {
    const body = 'create function f() returns int language plpgsql as $$ begin perform 1; return 2; end $$'
    const text = `select ';'; -- first; and its writer's name\nselect 1 as "a;b";\n\n${body};\nselect 'it''s; here'`
    assert.deepEqual(statementsOf(text), [
      `select ';'`,
      `-- first; and its writer's name\nselect 1 as "a;b"`,
      body,
      `select 'it''s; here'`,
    ])
  })

  test('of nothing but comments there are none', () => {
    assert.deepEqual(statementsOf('-- nothing\n;;\n'), [])
  })

  test('the migrations consist of statements that create and insert', () => {
    const words = migrations.flatMap(({ sql }) => statementsOf(sql)).map((one) => one.replace(/^(--.*\n|\s)+/, ''))
    const verbs = new Set(words.map((one) => /^\w+/.exec(one)?.[0]))
    assert.deepEqual([...verbs].sort(), ['create', 'insert'])
    assert.ok(words.length > 20)
  })
})
