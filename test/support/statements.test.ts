/** Each shape has a statement that has it, and one beside it that has not: a shape that matches nothing would refuse nothing. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { suite, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { bothEngines, openTestStore } from './engines.ts'
import { boxes, by } from './sample-kind.ts'
import { SHAPES, shapesOf, statementsDuring } from './statements.ts'

const CASES: Readonly<Record<string, { readonly wrong: readonly string[]; readonly right: readonly string[] }>> = {
  'several statements, and one changes the schema': {
    wrong: ['create index a on events (id);\ncreate index b on events (id)', '-- why\nselect 1; drop table events;'],
    right: [
      'begin; set local synchronous_commit = off',
      'create function f() as $$ begin perform 1; perform 2; end $$',
    ],
  },
  'a conflict that is solved by a function of time or chance': {
    wrong: ['insert into nodes (node) values ($1) on conflict (node) do update set release = $2, seen_at = now()'],
    right: [
      'insert into nodes (node) values ($1) on conflict (node) do update set seen_at = excluded.seen_at',
      'insert into a values (1) on conflict (a) do update set b = excluded.b; update nodes set seen_at = now()',
    ],
  },
  'a function with a mode of plans': {
    wrong: [
      'create or replace function f() language plpgsql set plan_cache_mode = force_generic_plan as $$ begin end $$',
    ],
    right: ['create function f() language plpgsql set jit = off as $$ begin end $$'],
  },
  'rows copied from one table to another by one statement': {
    wrong: [
      `insert into folds (kind) select $1 from versions where name = $2`,
      'insert into claims select 1, w.id from unnest($1::text[]) w(id) join documents d on d.id = w.id',
    ],
    right: ['insert into folds (kind) values ($1)', 'insert into events select 1, e.* from unnest($1::text[]) as e'],
  },
  'a setting made by a condition': {
    wrong: [
      `delete from jobs where (select set_config('synchronous_commit', 'off', true)) is not null`,
      `select 1 where id = 1 and set_config('a.b', 'c', true) = 'c'`,
    ],
    right: [`select set_config('synchronous_commit', 'on', true)`, 'set local synchronous_commit = off'],
  },
  'an advisory lock of a session': {
    wrong: ['select pg_advisory_lock(1)', 'select pg_try_advisory_lock(1, 2)', 'select pg_advisory_unlock(1)'],
    right: ['select pg_try_advisory_xact_lock(1, 2)'],
  },
  'a state of a session': {
    wrong: [
      'set statement_timeout = 0',
      'listen events',
      'create temp table t (a int)',
      'declare c cursor with hold for select 1',
      `select set_config('search_path', 'a', false)`,
    ],
    right: ['set local jit = off', 'declare c no scroll cursor for select 1', `select set_config('jit', 'off', false)`],
  },
}

suite('statements that Signet must not send to PostgreSQL', () => {
  const namesOf = (sql: string) => shapesOf(sql, { isDistributed: true }).map(({ name }) => name)

  test('have a case for each shape', () => {
    assert.deepEqual(
      Object.keys(CASES),
      SHAPES.map(({ name }) => name),
    )
  })

  for (const [name, { wrong, right }] of Object.entries(CASES)) {
    test(`are found: ${name}`, () => {
      for (const sql of wrong) assert.ok(namesOf(sql).includes(name), sql)
      for (const sql of right) assert.ok(!namesOf(sql).includes(name), sql)
    })
  }

  const postgres = bothEngines.find(({ name }) => name === 'postgres')

  test('are looked for in every call of every connection', { skip: !postgres }, async (t) => {
    const statements = await statementsDuring(async () => {
      const { store, dispose } = await openTestStore([boxes], postgres, {
        key: 'statements',
        make: async () => {},
      })
      t.after(dispose)
      await store.write(by('ann'), (work) => work.decide(boxes, 'one', { type: 'pack', label: 'a' }, 'org-1'))
      await store.find(boxes, { orderBy: 'label', limit: 1 })
    })
    // Of the connection that prepares, of its lock, of the one that writes, of those that read.
    for (const part of [
      'create table instances',
      'for update skip locked',
      'commit_batch_1(',
      'from instances',
      'with page',
    ]) {
      assert.ok(
        statements.some((sql) => sql.includes(part)),
        part,
      )
    }
  })

  test('fail the whole file, even where the error is caught', { skip: !postgres }, () => {
    const send = (sql: string) => {
      const script = `
        import { freshDatabase } from '${fileURLToPath(new URL('postgres.ts', import.meta.url))}'
        import { connect } from '${fileURLToPath(new URL('../../src/store/postgres/connection.ts', import.meta.url))}'
        const { url } = await freshDatabase()
        const connection = await connect({ targets: [url], connectTimeoutMs: 5000, statementTimeoutMs: 0 })
        try { await connection.client.query('${sql}') } catch {}
        await connection.end()
        process.exit(0)`
      return spawnSync(process.execPath, ['--input-type=module-typescript', '--eval', script], { encoding: 'utf8' })
    }
    const refused = send('select pg_advisory_lock(1)')
    assert.equal(refused.status, 1, refused.stderr)
    assert.match(refused.stderr, /must not send an advisory lock of a session/)
    assert.equal(send('select 1').status, 0)
  })
})
